import type { FastifyRequest } from 'fastify'
import type { MessageKey } from '../base/languages/dictionary.ts'
import { isRecord } from '../base/narrow.ts'
import { productName } from '../base/service.ts'
import { HttpError } from '../errors.ts'
import type { Caller, FindCaller, TokenError } from './caller.ts'

export const REALM = `${productName()} API`

/** Error of an application whose owner's account is closed (spec: authentication 27). */
export const SUSPENDED = 'The application is suspended since the account of its owner is closed'

const DESCRIPTIONS: Record<TokenError, MessageKey> = {
  elsewhere: 'The access token is for another part of this service',
  expired: 'The access token expired',
  invalid: 'The access token is invalid',
  revoked: 'The access token was revoked',
  suspended: SUSPENDED,
}

/** Returns the token in the header or parameter of a request (RFC 6750 §2.1, §2.3), or undefined if it has none. */
export function bearerToken(request: FastifyRequest): string | undefined {
  const header = request.headers.authorization
  const match = header === undefined ? null : /^bearer +(\S+) *$/i.exec(header)
  if (match) return match[1]
  const parameter = isRecord(request.query) ? request.query.access_token : undefined
  return typeof parameter === 'string' && parameter !== '' ? parameter : undefined
}

/** 401 with the challenge of RFC 6750 §3. No error means that the request has no token. */
export function unauthorized(tokenError?: TokenError): HttpError {
  if (!tokenError) {
    return new HttpError(401, 'This needs an access token: send it as "Authorization: Bearer <token>".', {
      headers: { 'WWW-Authenticate': `Bearer realm="${REALM}"` },
      reason: 'token_missing',
    })
  }
  const description = DESCRIPTIONS[tokenError]
  return new HttpError(401, description, {
    headers: {
      'WWW-Authenticate': `Bearer realm="${REALM}", error="invalid_token", error_description="${description}"`,
    },
    reason: `token_${tokenError}`,
  })
}

/** Finds the caller and sets it on the request. Throws 401. */
export async function authenticate(request: FastifyRequest, findCaller: FindCaller): Promise<Caller> {
  const token = bearerToken(request)
  if (!token) throw unauthorized()
  const caller = await findCaller(token)
  if (typeof caller === 'string') throw unauthorized(caller)
  request.caller = caller
  request.application = caller.application
  return caller
}
