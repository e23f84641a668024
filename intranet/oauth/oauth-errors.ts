import { toError } from '@campus/engine/base/caught'
import { verbatim } from '@campus/engine/base/languages/say'
import { AnsweredError, HttpError } from '@campus/engine/errors'
import { REALM, SUSPENDED } from '@campus/engine/http/authenticate'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Errors of RFC 6749 §5.2, RFC 7591 §3.2.2 and RFC 8707 §2, and one for 429. Clients of Doorkeeper know the descriptions of
 * RFC 6749 (spec: authentication 7).
 */
const DESCRIPTIONS = {
  insufficient_scope: 'The access token has not the scope that this needs.',
  invalid_client:
    'Client authentication failed due to unknown client, no client authentication included, or unsupported authentication method.',
  invalid_client_metadata: 'The metadata of the client is malformed or not supported.',
  invalid_grant:
    'The provided authorization grant is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.',
  invalid_redirect_uri:
    'The redirect_uris must include an https address, a loopback http address, or one of a private scheme such as org.example.app:/back.',
  invalid_request:
    'The request is missing a required parameter, includes an unsupported parameter value, or is otherwise malformed.',
  invalid_scope: 'The requested scope is invalid, unknown, or malformed.',
  invalid_target: 'The requested resource is invalid, unknown, or none that the authorization is for.',
  too_many_requests: 'There were too many requests for tokens.',
  unauthorized_client: 'The client is not authorized to perform this request using this method.',
  unsupported_grant_type: 'The authorization grant type is not supported by the authorization server.',
} as const

export type OAuthErrorName = keyof typeof DESCRIPTIONS

type OAuthErrorDetails = {
  readonly description?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal in the form of RFC 6749 §5.2. */
export class OAuthError extends AnsweredError {
  readonly error: OAuthErrorName
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(error: OAuthErrorName, { description, status = 400, headers = {} }: OAuthErrorDetails = {}) {
    super(verbatim(description ?? DESCRIPTIONS[error]))
    this.name = 'OAuthError'
    this.error = error
    this.status = status
    this.headers = headers
  }
}

export const invalidRequest = (description: string, status = 400) =>
  new OAuthError('invalid_request', { description, status })

/** Doorkeeper's words. */
export const missingParameter = (name: string) => invalidRequest(`Missing required parameter: ${name}.`)

export const tooManyTokenRequests = (retryAfterSeconds: number) =>
  new OAuthError('too_many_requests', {
    description: `There were too many requests for tokens. Keep the token that you have until it expires, and try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`,
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

export const tooManyRegistrations = (retryAfterSeconds: number) =>
  new OAuthError('too_many_requests', {
    description: `Too many clients have registered. Try again in ${retryAfterSeconds} second${retryAfterSeconds === 1 ? '' : 's'}.`,
    status: 429,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  })

/** Answers 401, with a challenge if the client used Basic (RFC 6749 §5.2). */
export function invalidClient({ usedBasic }: { usedBasic: boolean }): OAuthError {
  const bearer = `Bearer realm="${REALM}", error="invalid_client", error_description="${DESCRIPTIONS.invalid_client}"`
  return new OAuthError('invalid_client', {
    status: 401,
    headers: { 'WWW-Authenticate': usedBasic ? `${bearer}, Basic realm="${REALM}"` : bearer },
  })
}

/** Refuses an authenticated application whose owner's account is closed. */
export const suspendedClient = () =>
  new OAuthError('invalid_client', {
    description: `${SUSPENDED}.`,
    status: 401,
    headers: {
      'WWW-Authenticate': `Bearer realm="${REALM}", error="invalid_client", error_description="${SUSPENDED}"`,
    },
  })

/** Only the application that holds a token may revoke it (RFC 7009 §2.1). */
export const foreignToken = () =>
  new OAuthError('unauthorized_client', { description: 'You are not authorized to revoke this token', status: 403 })

/** Answers errors of the protocol in its format, with a link to the reference if there is one. Other errors are thrown on. */
export const oauthErrorHandler =
  (documentation: string | undefined) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const oauthError = asOAuthError(error)
    if (!oauthError) throw error
    request.refusal = oauthError.error
    if (documentation !== undefined) reply.header('link', `<${documentation}>; rel="help"`)
    return reply
      .code(oauthError.status)
      .headers(oauthError.headers)
      .send({ error: oauthError.error, error_description: oauthError.message })
  }

function asOAuthError(error: unknown): OAuthError | undefined {
  if (error instanceof OAuthError) return error
  const reported: Error & { statusCode?: unknown } = toError(error)
  const status = error instanceof HttpError ? error.status : reported.statusCode
  if (status === 413) return invalidRequest(plain(error), 413)
  if (status === 400 || status === 415) return invalidRequest(plain(error))
  return undefined
}

/** Replaces characters that an error_description must not contain (RFC 6749 §5.2). */
const plain = (error: unknown) => toError(error).message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, "'")
