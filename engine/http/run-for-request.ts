import type { FastifyRequest } from 'fastify'
import { runForPerson } from '../database/turns.ts'
import { personOf } from './caller.ts'

/** Returns the person whom a request counts for; undefined before authentication and for anonymous requests. */
export const personOfRequest = ({ caller, visitor }: FastifyRequest): number | undefined =>
  caller ? personOf(caller) : visitor

/** Runs work of a request. Its queries wait in the turn of the person whom the request counts for. */
export const runForRequest = <T>(request: FastifyRequest, work: () => T): T =>
  runForPerson(personOfRequest(request), work)
