import { randomBytes } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { digestOf } from './digests.ts'
import type { SignIn } from './openid/openid.ts'
import { isResource, type TokenResource } from './resources.ts'

/** Lifetime of a code (spec: authentication 16). */
const CODE_LIFETIME_SECONDS = 600
/** Lifetime of an unused refresh token. Each use issues another. */
const REFRESH_LIFETIME_SECONDS = 30 * 86_400

/**
 * Grace period in which a client may repeat a refresh, because it refreshed twice at the same time or lost the response
 * (spec: authentication 21).
 */
const REFRESH_GRACE_SECONDS = 30

/** An authorization of one application by one person. */
export type Family = {
  readonly id: number
  readonly applicationId: number
  readonly userId: number
  readonly scopes: readonly string[]
  /** Null for the whole service. */
  readonly resource: TokenResource | null
  /** The sign-in that ID tokens are about. Undefined without `openid`. */
  readonly signIn: FamilySignIn | undefined
}

/** How the person signed in before they allowed the application. */
export type FamilySignIn = Pick<SignIn, 'sid' | 'authenticatedAt' | 'authenticatedBy'> & {
  /** Null if a process of the former release recorded the sign-in. */
  readonly sector: string | null
}

type CodeBinding = {
  /** Null if the authorization request had none. */
  readonly redirectUri: string | null
  /** The S256 challenge of RFC 7636. */
  readonly codeChallenge: string | null
  readonly nonce: string | null
}

/** Begins a family with a code. Must run in a transaction. */
export async function issueCode(
  tx: Handle,
  now: Date,
  {
    applicationId,
    userId,
    scopes,
    resource,
    signIn,
    redirectUri,
    codeChallenge,
    nonce,
  }: Omit<Family, 'id'> & CodeBinding,
): Promise<string> {
  const family = await tx.kysely
    .insertInto('token_families')
    .values({
      application_id: applicationId,
      user_id: userId,
      scopes: [...scopes],
      resource,
      sid: signIn?.sid,
      sector: signIn?.sector,
      authenticated_at: signIn?.authenticatedAt,
      authenticated_by: signIn && [...signIn.authenticatedBy],
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const single = newOneTimeToken(now, family.id, CODE_LIFETIME_SECONDS)
  await tx.kysely
    .insertInto('authorization_codes')
    .values({ ...single.row, redirect_uri: redirectUri, code_challenge: codeChallenge, nonce })
    .execute()
  return single.text
}

export async function issueRefreshToken(tx: Handle, now: Date, familyId: number): Promise<string> {
  const single = newOneTimeToken(now, familyId, REFRESH_LIFETIME_SECONDS)
  await tx.kysely.insertInto('refresh_tokens').values(single.row).execute()
  return single.text
}

export type OneTimeTokenTable = 'authorization_codes' | 'refresh_tokens'

/** A valid code or refresh token with its family. */
export type PresentedToken = Family &
  CodeBinding & {
    readonly oneTimeTokenId: number
    /** Whether the refresh token was used before, within the grace period. */
    readonly isRepeated: boolean
  }

/**
 * Finds a presented code or refresh token, and locks its family until the transaction ends, so that nothing is added to a
 * family that is being revoked. A second use revokes the family and returns 'replayed', since the revocation must be committed
 * (RFC 9700 §4.14.2, RFC 6749 §4.1.2). A refresh may be repeated within `REFRESH_GRACE_SECONDS` unless a later refresh token
 * of the family was used.
 */
export async function findOneTimeToken(
  tx: Handle,
  now: Date,
  table: OneTimeTokenTable,
  text: string,
  applicationId: number,
): Promise<PresentedToken | 'replayed' | undefined> {
  const digest = digestOf(text)
  const family = await tx.kysely
    .selectFrom('token_families as family')
    .innerJoin('users', 'users.id', 'family.user_id')
    .select(['family.id', 'family.user_id', 'family.scopes', 'family.resource', 'family.revoked_at', 'users.closed_at'])
    .select(['family.sid', 'family.sector', 'family.authenticated_at', 'family.authenticated_by'])
    .where('family.application_id', '=', applicationId)
    .where('family.id', '=', sql<number>`(select family_id from ${sql.table(table)} where digest = ${digest})`)
    .forUpdate('family')
    .executeTakeFirst()
  // Read under the lock, and also without a family, so that the time reveals nothing.
  const single = await readOneTimeToken(tx, table, digest)
  if (!family || !single) return undefined
  const isRepeated = table === 'refresh_tokens' && (await mayRepeat(tx, now, single))
  if (single.used_at && !isRepeated) {
    await revokeFamily(tx, now, family.id)
    return 'replayed'
  }
  if (single.expires_at <= now || family.revoked_at || family.closed_at) return undefined
  const { id, user_id: userId, scopes } = family
  const resource = isResource(family.resource) ? family.resource : null
  const binding = { redirectUri: single.redirect_uri, codeChallenge: single.code_challenge, nonce: single.nonce }
  const { sid, sector, authenticated_at: authenticatedAt, authenticated_by: authenticatedBy } = family
  const signIn = authenticatedAt ? { sid, sector, authenticatedAt, authenticatedBy: authenticatedBy ?? [] } : undefined
  return { id, applicationId, userId, scopes, resource, signIn, ...binding, oneTimeTokenId: single.id, isRepeated }
}

type StoredRefreshToken = { readonly id: number; readonly family_id: number; readonly used_at: Date | null }

/**
 * Reports whether a refresh token is within its grace period and no later refresh token of its family was used. The tokens of a
 * repeated refresh are marked as used by one transaction, so none of them is later than another. Clocks of servers may differ by
 * less than the grace period, and a clock that is set back further does not lengthen it.
 */
async function mayRepeat(tx: Handle, now: Date, { id, family_id, used_at }: StoredRefreshToken): Promise<boolean> {
  const graceMilliseconds = REFRESH_GRACE_SECONDS * 1000
  if (!used_at || Math.abs(now.getTime() - used_at.getTime()) > graceMilliseconds) return false
  const later = await tx.kysely
    .selectFrom('refresh_tokens as later')
    .select('later.id')
    .where('later.family_id', '=', family_id)
    .where('later.id', '>', id)
    // Another server's clock may be behind the one that set `used_at`.
    .where('later.used_at', '>=', new Date(used_at.getTime() - graceMilliseconds))
    .where(sql<boolean>`later.xmin <> (select xmin from refresh_tokens where id = ${id})`)
    .limit(1)
    .executeTakeFirst()
  return later === undefined
}

/** Marks a code as used. Returns false if another request has used it. */
export async function useCodeOnce(tx: Handle, now: Date, codeId: number): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('authorization_codes')
    .set({ used_at: now })
    .where('id', '=', codeId)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Marks all refresh tokens of a family as used. Repeated refreshes leave several valid ones. */
export async function useRefreshTokens(tx: Handle, now: Date, familyId: number): Promise<void> {
  await tx.kysely
    .updateTable('refresh_tokens')
    .set({ used_at: now })
    .where('family_id', '=', familyId)
    .where('used_at', 'is', null)
    .execute()
}

/** Revokes a family and its access tokens. */
export async function revokeFamily(tx: Handle, now: Date, familyId: number): Promise<void> {
  await tx.kysely
    .updateTable('token_families')
    .set({ revoked_at: now })
    .where('id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute()
  await tx.kysely
    .updateTable('access_tokens')
    .set({ revoked_at: now })
    .where('family_id', '=', familyId)
    .where('revoked_at', 'is', null)
    .execute()
}

/** Revokes all tokens of an application and returns their number. */
export async function revokeTokensOf(tx: Handle, now: Date, applicationId: number): Promise<number> {
  let revoked = 0
  for (const table of ['token_families', 'access_tokens'] as const) {
    const { numUpdatedRows } = await tx.kysely
      .updateTable(table)
      .set({ revoked_at: now })
      .where('application_id', '=', applicationId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    revoked += Number(numUpdatedRows)
  }
  return revoked
}

/** Finds the family of a refresh token of any application. */
export const familyOfRefreshToken = (handle: Handle, token: string) =>
  handle.kysely
    .selectFrom('refresh_tokens')
    .innerJoin('token_families', 'token_families.id', 'refresh_tokens.family_id')
    .select(['token_families.id', 'token_families.application_id'])
    .where('refresh_tokens.digest', '=', digestOf(token))
    .executeTakeFirst()

async function readOneTimeToken(tx: Handle, table: OneTimeTokenTable, digest: Buffer) {
  if (table === 'authorization_codes') {
    return tx.kysely.selectFrom(table).selectAll().where('digest', '=', digest).executeTakeFirst()
  }
  const row = await tx.kysely.selectFrom(table).selectAll().where('digest', '=', digest).executeTakeFirst()
  return row && { ...row, redirect_uri: null, code_challenge: null, nonce: null }
}

/** 256 random bits as 64 hex digits. Only the digest is stored. */
function newOneTimeToken(now: Date, familyId: number, lifetimeSeconds: number) {
  const text = randomBytes(32).toString('hex')
  const expires_at = new Date(now.getTime() + lifetimeSeconds * 1000)
  return { text, row: { digest: digestOf(text), family_id: familyId, created_at: now, expires_at } }
}

/** Sets the sector of a family if a process of the former release created the family without one. */
export async function fixSector(tx: Handle, familyId: number, sector: string): Promise<void> {
  await tx.kysely
    .updateTable('token_families')
    .set({ sector })
    .where('id', '=', familyId)
    .where('sector', 'is', null)
    .execute()
}
