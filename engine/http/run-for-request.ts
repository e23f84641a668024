import type { FastifyRequest } from 'fastify'
import { runForPerson } from '../database/turns.ts'
import { personOf } from './caller.ts'

/** Returns the person whom a request counts for, or undefined if it is anonymous or not authenticated yet. */
export const personOfRequest = ({ caller, visitor }: FastifyRequest): number | undefined =>
  caller ? personOf(caller) : visitor

export const runForRequest = <T>(request: FastifyRequest, work: () => T): T =>
  runForPerson(personOfRequest(request), work)
