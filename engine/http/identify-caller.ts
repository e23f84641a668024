import type { FastifyRequest } from 'fastify'
import { bearerToken } from './authenticate.ts'
import type { FindCaller } from './caller.ts'
import type { RateLimits } from './rate-limit.ts'

export type IdentifyCaller = (request: FastifyRequest) => Promise<void>

type Dependencies = { readonly findCaller: FindCaller; readonly limits: RateLimits }

/** Counts requests that are refused before their route, such as unknown paths, and names their caller if the token is valid. Throws 429. */
export function callerIdentifier({ findCaller, limits }: Dependencies): IdentifyCaller {
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

/** A malformed query may still contain a token. */
const tokenInBrokenQuery = ({ url }: FastifyRequest) =>
  new URLSearchParams(url.replace(/^[^?]*/, '')).get('access_token') ?? undefined
