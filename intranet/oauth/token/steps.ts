import { hash, timingSafeEqual } from 'node:crypto'
import { DEFAULT_SCOPE } from '../../access/scopes.ts'
import { type Client, holdClient, isPrintable } from '../authenticate-client.ts'
import { withPath } from '../authorize/redirect-uri.ts'
import { noteUse } from '../consents.ts'
import { missingParameter, OAuthError } from '../oauth-errors.ts'
import { OPENID_CLIENT, sectorOf } from '../openid/openid.ts'
import { grantable, meantScopes, OPENID } from '../openid/scopes.ts'
import { resourceAt, type TokenResource } from '../resources.ts'
import { describeScopeError } from '../scopes.ts'
import {
  findOneTimeToken,
  fixSector,
  issueRefreshToken,
  type OneTimeTokenTable,
  useCodeOnce,
  useRefreshTokens,
} from '../token-families.ts'
import { issueToken } from '../tokens.ts'
import { type GrantParameters, type Step, scopesAsked, type TokenRequest } from './token-request.ts'

/** Locks the client, so that it stays authenticated until the end. */
export const lockClient: Step = async ({ tx, clock, client }) => {
  await holdClient(tx, clock.now(), client)
  return {}
}

export const findCode: Step = (request) => find(request, 'authorization_codes', request.parameters.code)

export const findRefreshToken: Step = (request) => find(request, 'refresh_tokens', request.parameters.refresh_token)

/** Refuses a token that is unknown, used, expired or of another application. */
export const requireUsable: Step = ({ presented }) => {
  if (presented === undefined) throw new OAuthError('invalid_grant')
  return {}
}

/** A public application is unauthenticated, so its attempts count by authorization. */
export const spendGrant: Step = async ({ client, limits, presented }) => {
  if (!client.isConfidential) await limits.spendFamily(presented.id)
  await limits.spendUser(presented.userId, client.application.id)
  return {}
}

/** Marks the code as used, even if a later step fails. */
export const useCode: Step = async ({ tx, clock, presented }) => {
  if (!(await useCodeOnce(tx, clock.now(), presented.oneTimeTokenId))) throw new OAuthError('invalid_grant')
  return { isFinal: true }
}

/** Marks the refresh token as used. A repeated refresh leaves the tokens of the first refresh valid. */
export const useRefreshToken: Step = async ({ tx, clock, presented }) => {
  if (!presented.isRepeated) await useRefreshTokens(tx, clock.now(), presented.id)
  return {}
}

async function find({ tx, clock, client }: TokenRequest, table: OneTimeTokenTable, text: string | undefined) {
  if (text === undefined || !isPrintable(text)) throw new OAuthError('invalid_request')
  const found = await findOneTimeToken(tx, clock.now(), table, text, client.application.id)
  // A replay has ended the family.
  if (found === 'replayed') return { isFinal: true }
  return found === undefined ? {} : { presented: found }
}

/** Requires the redirect URI of the authorization request (RFC 6749 §4.1.3). An empty path equals `/`. */
export const requireRedirectUri: Step = ({ presented, parameters }) => {
  const { redirectUri: asked } = presented
  const named = parameters.redirect_uri
  if (asked === null || (named !== undefined && withPath(asked) === withPath(named))) return {}
  throw named === undefined ? missingParameter('redirect_uri') : new OAuthError('invalid_grant')
}

/** RFC 7636 §4.1. */
const VERIFIER = /^[\w.~-]{43,128}$/

/** A code with a challenge needs its verifier (RFC 7636 §4.6). */
export const requireVerifier: Step = ({ presented, parameters }) => {
  const { codeChallenge } = presented
  const verifier = parameters.code_verifier
  if (codeChallenge === null && verifier === undefined) return {}
  if (codeChallenge === null || verifier === undefined) throw new OAuthError('invalid_grant')
  if (!VERIFIER.test(verifier)) throw new OAuthError('invalid_request')
  if (!isChallengeOf(codeChallenge, verifier)) throw new OAuthError('invalid_grant')
  return {}
}

function isChallengeOf(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(challenge)
  const actual = Buffer.from(hash('sha256', verifier, 'base64url'))
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** Returns the requested resource (RFC 8707 §2.2), or null for the whole service. */
export function resourceAsked(baseUrl: string, { resource: address }: GrantParameters): TokenResource | null {
  if (address === undefined) return null
  const resource = resourceAt(baseUrl, address)
  if (resource === undefined) throw new OAuthError('invalid_target')
  return resource
}

/** Narrows the resource that the person allowed. */
export const narrowResource: Step = ({ baseUrl, parameters, presented }) => {
  const asked = resourceAsked(baseUrl, parameters)
  const isNamed = parameters.resource !== undefined
  if (isNamed && presented.resource !== null && asked !== presented.resource) throw new OAuthError('invalid_target')
  return { resource: presented.resource ?? asked }
}

/** Default: the default scope (RFC 6749 §3.3). */
export function findOwnScopes(client: Client, parameters: GrantParameters): readonly string[] {
  const asked = scopesAsked({ parameters })
  requireScopes(asked, client.scopes)
  return asked.length === 0 ? [DEFAULT_SCOPE] : [...new Set(asked)]
}

/** Returns the allowed scopes without those that the application has lost meanwhile. */
export const findScopesOfFamily: Step = ({ client, presented }) => ({
  scopes: presented.scopes.filter((scope) => grantable(client.scopes).includes(scope)),
})

/** A refresh token may be used for fewer scopes, never for more (RFC 6749 §6). */
export const narrowScopes: Step = (request) => {
  const asked = meantScopes(scopesAsked(request), request.scopes)
  requireScopes(asked, request.scopes)
  return asked.length === 0 ? {} : { scopes: asked }
}

function requireScopes(asked: readonly string[], allowed: readonly string[]): void {
  const description = describeScopeError(asked, allowed)
  if (description !== undefined) throw new OAuthError('invalid_scope', { description })
}

export const issueTokensForPerson: Step = async ({ tx, clock, client, presented, scopes, resource }) => {
  const { id: familyId, userId } = presented
  const applicationId = client.application.id
  const issued = await issueToken(tx, clock, { applicationId, resourceOwnerId: userId, familyId, scopes, resource })
  const refreshToken = await issueRefreshToken(tx, clock.now(), familyId)
  await noteUse(tx, clock.now(), userId, applicationId)
  return { granted: { ...issued, scopes, refreshToken } }
}

/** OpenID Connect Core §3.1.3.3, §12.2. */
export const issueIdToken: Step = async ({ tx, clock, client, openid, presented, scopes, granted }) => {
  const { signIn, userId, nonce } = presented
  if (!scopes.includes(OPENID) || signIn === undefined) return {}
  const chosen = await tx.kysely
    .selectFrom('applications')
    .select(OPENID_CLIENT)
    .where('id', '=', client.application.id)
    .executeTakeFirstOrThrow()
  const sector = signIn.sector ?? sectorOf(chosen)
  if (signIn.sector === null) await fixSector(tx, presented.id, sector)
  const about = { ...signIn, sector, userId, scopes, nonce, accessToken: granted.token }
  return { granted: { ...granted, idToken: await openid.idToken(tx, clock.now(), chosen, about) } }
}
