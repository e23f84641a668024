import type { FastifyRequest } from 'fastify'
import { inTurnOf } from '../database/turns.ts'
import { personOf } from './caller.ts'

/** The person whom the work of a request counts for; undefined before that is known, and for nobody's. */
export const personOfRequest = ({ caller, visitor }: FastifyRequest): number | undefined =>
  caller ? personOf(caller) : visitor

/** Runs what a request asks of the database in the turn of the person it counts for. */
export const inTurn = <T>(request: FastifyRequest, work: () => T): T => inTurnOf(personOfRequest(request), work)
