import type { FastifyRequest } from 'fastify'
import { bearerToken } from './authenticate.ts'
import type { FindCaller } from './caller.ts'
import type { RateLimits } from './rate-limit.ts'

/** Finds who sent a request that no route has asked about. */
export type IdentifyCaller = (request: FastifyRequest) => Promise<void>

/**
 * Takes what is refused before a route asks for its token, such as an unknown path, for a call like any other: it is counted
 * and says whose it is. Without a valid token nothing is known, and nothing refused. Throws 429.
 */
export function callerIdentifier({
  findCaller,
  limits,
}: {
  findCaller: FindCaller
  limits: RateLimits
}): IdentifyCaller {
  return async (request) => {
    const token = bearerToken(request) ?? tokenInBrokenQuery(request)
    const caller = token === undefined ? 'invalid' : await findCaller(token)
    if (typeof caller === 'string') return
    request.caller = caller
    request.application = caller.application
    await limits.spend(caller.application, (state) => {
      request.rate = state
    })
  }
}

/** A query that is refused as a whole may still say who sent it. */
const tokenInBrokenQuery = ({ url }: FastifyRequest) =>
  new URLSearchParams(url.replace(/^[^?]*/, '')).get('access_token') ?? undefined
