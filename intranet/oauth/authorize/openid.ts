import { sectorOf } from '../openid/openid.ts'
import { OPENID } from '../openid/scopes.ts'
import { type AuthorizationRequest, AuthorizeError, parameter, type Step } from './authorization-request.ts'

const MAX_NONCE = 1024

/** Unsupported parameters with their errors (OpenID Connect Core §6.1, §6.2, §7.2.1). */
const NOT_SUPPORTED = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const

/** Reads the parameters of an ID token (OpenID Connect Core §3.1.2.1), which are ignored without `openid`. */
export const findOpenId: Step = async (request) => {
  if (!request.scopes.includes(OPENID)) return { nonce: null, maxAge: undefined, expectedSubject: undefined }
  for (const [name, error] of Object.entries(NOT_SUPPORTED)) {
    if (parameter(request, name) !== undefined)
      throw new AuthorizeError(error, `The parameter ${name} is not supported.`)
  }
  const nonce = parameter(request, 'nonce') ?? null
  if (nonce !== null && nonce.length > MAX_NONCE) {
    throw new AuthorizeError('invalid_request', `The nonce must be at most ${MAX_NONCE} characters.`)
  }
  const maxAge = parameter(request, 'max_age')
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge)) {
    throw new AuthorizeError('invalid_request', 'The max_age must be a number of seconds.')
  }
  const expectedSubject = await findExpectedSubject(request)
  return { nonce, maxAge: maxAge === undefined ? undefined : Number(maxAge), expectedSubject }
}

/** Returns the subject of the `id_token_hint`, also after a sign-in for it. Refuses a hint of another application. */
async function findExpectedSubject(request: AuthorizationRequest): Promise<string | undefined> {
  const token = parameter(request, 'id_token_hint')
  if (token === undefined) return request.carriedSubject
  const hint = await request.openid.readHint(request.handle, token)
  if (hint?.aud !== request.client.uid) {
    throw new AuthorizeError('invalid_request', 'The id_token_hint is not an ID token of this application.')
  }
  return hint.sub
}

/** Reports whether another person is signed in than the application expects. */
export const isOfAnother = ({ openid, client, redirectUri, expectedSubject, userId }: AuthorizationRequest): boolean =>
  expectedSubject !== undefined &&
  userId !== undefined &&
  openid.subjectOf(sectorOf(client, redirectUri), userId) !== expectedSubject

/** Reports whether the sign-in exceeds `max_age`. With 0 every sign-in does (OpenID Connect Core §3.1.2.1). */
export function isTooOld({ maxAge, authenticatedAt, now }: AuthorizationRequest): boolean {
  if (maxAge === undefined || authenticatedAt === undefined) return false
  return maxAge === 0 || now.getTime() - authenticatedAt.getTime() > maxAge * 1000
}
