import type { FastifyRequest } from 'fastify'
import { inTurnOf } from '../database/turns.ts'
import { personOf } from './caller.ts'

/** Runs what a request asks of the database in the turn of the person it counts for. */
export const inTurn = <T>({ caller, visitor }: FastifyRequest, work: () => T): T =>
  inTurnOf(caller ? personOf(caller) : visitor, work)
