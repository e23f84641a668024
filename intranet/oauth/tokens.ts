import { randomBytes } from 'node:crypto'
import type { Clock } from '@campus/engine/base/clock'
import { Batches } from '@campus/engine/database/batches'
import { CachedValues } from '@campus/engine/database/changes'
import type { Database, Handle } from '@campus/engine/database/database'
import { type JsonRow, jsonRows, jsonRowsText } from '@campus/engine/database/json-rows'
import { SnapshotCache } from '@campus/engine/database/snapshot-cache'
import type { Caller, TokenError } from '@campus/engine/http/caller'
import { type InferResult, sql } from 'kysely'
import { CALLING_APPLICATION, callingApplication } from './calling-application.ts'
import { digestOf, digestTextOf } from './digests.ts'
import { sectorOf } from './openid/openid.ts'
import { grantable } from './openid/scopes.ts'
import { isResource, type TokenResource } from './resources.ts'
import { familyOfRefreshToken, revokeFamily } from './token-families.ts'

/** Lifetime of an access token (spec: authentication 2). */
export const TOKEN_LIFETIME_SECONDS = 7200

type TokenGrant = {
  readonly applicationId: number
  /** Null if the application acts for itself. */
  readonly resourceOwnerId: number | null
  readonly scopes: readonly string[]
  /** The authorization of the token. Absent if the application acts for itself. */
  readonly familyId?: number
  /** Default: the whole service. */
  readonly resource?: TokenResource | null
}

export type IssuedToken = { readonly token: string; readonly createdAt: Date; readonly expiresAt: Date }

/** Issues an opaque token of 256 bits as 64 hex digits. Only its digest is stored. */
export async function issueToken(handle: Handle, clock: Clock, grant: TokenGrant): Promise<IssuedToken> {
  const issued = makeToken(clock)
  await handle.kysely
    .insertInto('access_tokens')
    .values({
      digest: digestOf(issued.token),
      application_id: grant.applicationId,
      resource_owner_id: grant.resourceOwnerId,
      family_id: grant.familyId ?? null,
      scopes: [...grant.scopes],
      resource: grant.resource ?? null,
      created_at: issued.createdAt,
      expires_at: issued.expiresAt,
    })
    .execute()
  return issued
}

/** Makes a token without storing it. */
export function makeToken(clock: Clock): IssuedToken {
  const createdAt = clock.now()
  const expiresAt = new Date(createdAt.getTime() + TOKEN_LIFETIME_SECONDS * 1000)
  return { token: randomBytes(32).toString('hex'), createdAt, expiresAt }
}

/**
 * Revokes a token of an application. A refresh token ends its whole authorization. An unknown or revoked token is a success
 * (RFC 7009 §2.2). Leaves a token of another application and returns 'foreign'.
 */
export async function revokeToken(
  database: Database,
  clock: Clock,
  token: string,
  applicationId: number,
): Promise<'revoked' | 'foreign'> {
  const digest = digestOf(token)
  const found = await database.kysely
    .selectFrom('access_tokens')
    .select('application_id')
    .where('digest', '=', digest)
    .executeTakeFirst()
  const family = await familyOfRefreshToken(database, token)
  const holder = (found ?? family)?.application_id
  if (holder !== undefined && holder !== applicationId) return 'foreign'
  if (family) {
    await database.transaction((tx) => revokeFamily(tx, clock.now(), family.id))
    return 'revoked'
  }
  await database.kysely
    .updateTable('access_tokens')
    .set({ revoked_at: clock.now() })
    .where('digest', '=', digest)
    .where('revoked_at', 'is', null)
    .execute()
  return 'revoked'
}

type AccessToken = Caller & {
  readonly createdAt: Date
  readonly expiresAt: Date
  /** Null for the whole service. */
  readonly resource: TokenResource | null
  /** Sector of the person's subject for the application. */
  readonly sector: string
}

/** A FindCaller that also returns what the token is for, and its times. */
export type FindToken = (token: string) => Promise<AccessToken | TokenError>

const APPLICATION_TABLES = ['access_tokens', 'applications', 'application_roles', 'roles']
const PERSON_TABLES = [...APPLICATION_TABLES, 'users']
const MAX_CACHED = 10_000

/**
 * Finds callers by bearer token, after a validation that was sent after the call (`Changes.validate`), so other caches may be
 * used for the request. A caller is cached until one of its tables changes. Only tokens of people depend on `users`, which
 * changes all the time. A refusal is cached until any commit, since issued tokens are not recorded as changes, and in its own
 * cache, so that it evicts no valid token.
 */
export function callerFinder({ database, clock }: { database: Database; clock: Clock }): FindToken {
  const { changes } = database
  const ofApplications = new CachedValues<AccessToken>(changes, MAX_CACHED)
  const ofPersons = new CachedValues<AccessToken>(changes, MAX_CACHED)
  const refusals = new SnapshotCache<TokenError>(changes, MAX_CACHED)
  const reading = readTokens(database)

  return async (token) => {
    const key = digestTextOf(token)
    await changes.validate()
    const cached = ofApplications.get(key, APPLICATION_TABLES) ?? ofPersons.get(key, PERSON_TABLES)
    if (cached) return isExpired(cached, clock) ? 'expired' : cached
    const refusal = refusals.get(key)
    if (refusal) return refusal

    const { state } = changes
    const applicationVersion = changes.versionOf(APPLICATION_TABLES)
    const personVersion = changes.versionOf(PERSON_TABLES)
    const found = await reading.ask(digestOf(token))
    if (typeof found === 'string') {
      refusals.set(key, found, state)
      return found
    }
    if (isExpired(found, clock)) return 'expired'
    if (found.resourceOwnerId === null) ofApplications.set(key, found, APPLICATION_TABLES, applicationVersion)
    else ofPersons.set(key, found, PERSON_TABLES, personVersion)
    return found
  }
}

/** Accepts tokens that are bound to this part of the service, or to none. */
export const boundTo =
  (resource: TokenResource, findToken: FindToken): FindToken =>
  async (text) => {
    const found = await findToken(text)
    return typeof found === 'string' || found.resource === null || found.resource === resource ? found : 'elsewhere'
  }

const isExpired = (token: AccessToken, clock: Clock) => token.expiresAt <= clock.now()

/** Reads many tokens by one statement. */
function readTokens(database: Database): Batches<Buffer, AccessToken | TokenError> {
  const text = jsonRowsText(tokensQuery(database))
  return new Batches(async (digests) => {
    const rows = await jsonRows<TokenRow>(database, text, [digests])
    const found = new Map(rows.map((row) => [row.digest, tokenOf(row)]))
    return digests.map((digest) => found.get(digest.toString('hex')) ?? 'invalid')
  })
}

type TokenRow = InferResult<ReturnType<typeof tokensQuery>>[number]

const tokensQuery = ({ kysely }: Handle) =>
  kysely
    .selectFrom('access_tokens as token')
    .innerJoin('applications', 'applications.id', 'token.application_id')
    .leftJoin('token_families as family', 'family.id', 'token.family_id')
    .leftJoin('users as owner', 'owner.id', 'token.resource_owner_id')
    .select(CALLING_APPLICATION)
    .select(['token.resource_owner_id', 'token.created_at', 'token.expires_at', 'token.revoked_at', 'owner.closed_at'])
    .select(['token.scopes', 'token.resource', 'applications.scopes as granted_scopes', 'applications.suspended_at'])
    .select(['family.sector', 'applications.subject_type', 'applications.redirect_uris'])
    .select(sql<string>`encode(token.digest, 'hex')`.as('digest'))
    .where(sql<boolean>`token.digest = any($1)`)

function tokenOf(row: JsonRow<TokenRow>): AccessToken | TokenError {
  if (row.revoked_at || row.closed_at) return 'revoked'
  if (row.suspended_at) return 'suspended'
  return {
    application: callingApplication(row),
    // A scope that the application lost is gone from its tokens, too (spec: access 3).
    scopes: row.scopes.filter((scope) => grantable(row.granted_scopes).includes(scope)),
    resourceOwnerId: row.resource_owner_id,
    resource: isResource(row.resource) ? row.resource : null,
    sector: row.sector ?? sectorOf(row),
    createdAt: new Date(row.created_at),
    expiresAt: new Date(row.expires_at),
  }
}
