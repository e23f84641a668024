import { hash, randomBytes } from 'node:crypto'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { notFound, unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { displayName } from './display-name.ts'
import { HAS_NO_FACTOR } from './factors.ts'
import { MUST_ENROL } from './second-factor-requirements.ts'

const DAY_MS = 86_400_000
/** Days without a visit after which a session ends. */
const IDLE_DAYS = 7
/** Days after the sign-in at which every session ends. */
const MAX_DAYS = 30
/** Minutes for which a sign-in waits for its next step. */
const AWAITING_MINUTES = 10
/** Maximum number of sessions of a user, and of incomplete sign-ins. */
export const MAX_SESSIONS = 100
/** Minimum time between two updates of `last_seen_at`. */
const NOTED_EVERY_MS = 60_000

/** Shown only after authentication. */
export const CLOSED_ACCOUNT = 'This account is closed. Ask the staff of your campus.'

export type Person = {
  readonly id: number
  readonly login: string
  readonly displayname: string
  /** Number of unread notifications, up to 100. */
  readonly unread: number
  /** `users.image`. */
  readonly image: string | null
  /** `kind` is `admin`. */
  readonly isStaff: boolean
  /** The primary campus. */
  readonly campusId: number | null
  /** IANA time zone of the campus. */
  readonly timeZone: string | null
}

/** Stored names of the ways to authenticate. */
export type SignInMethod = 'password' | 'school' | 'passkey' | 'one-time code' | 'recovery code'

/** Methods that pass a second factor. A passkey also replaces the password. */
export const SECOND_FACTOR_METHODS: readonly SignInMethod[] = ['passkey', 'one-time code', 'recovery code']

export type Session = {
  readonly id: number
  readonly person: Person
  /** When the user authenticated. */
  readonly createdAt: Date
  /** In order. Empty if a former release created the session. */
  readonly methods: readonly SignInMethod[]
}

/** A session whose user must set up a second factor before anything else. */
export type EnrollingSession = Session & { readonly returnTo: string | null }

/** A sign-in that waits for a further step. The person has proved only that they know the password. */
export type PendingSignIn = {
  readonly id: number
  readonly person: Person
  readonly awaiting: string
  readonly passed: readonly string[]
  readonly returnTo: string | null
}

export type Browser = { readonly address: string; readonly userAgent: string | undefined }

type Progress = {
  /** Methods and completed steps. */
  readonly passed: readonly string[]
  /** The next step before the session counts. */
  readonly step?: string | undefined
  /** Path to continue at after the last step. */
  readonly returnTo?: string
}

/** Returns 256 random bits as base64url. */
export const newKey = (): string => randomBytes(32).toString('base64url')

/**
 * Creates a session, which is incomplete while a `step` remains. Returns the key for the cookie, of which only the digest is
 * stored. Ends the least recently used sessions above the limit. Must run in a transaction. Throws 422 if the account is
 * closed.
 */
export async function startSession(
  tx: Handle,
  now: Date,
  userId: number,
  { address, userAgent }: Browser,
  { passed, step, returnTo }: Progress,
): Promise<string> {
  await holdOpenAccount(tx, userId)
  const key = newKey()
  const lifetimeMs = step ? AWAITING_MINUTES * 60_000 : MAX_DAYS * DAY_MS
  await tx.kysely
    .insertInto('sessions')
    .values({
      digest: digestOfKey(key),
      user_id: userId,
      address,
      user_agent: userAgent?.toWellFormed().replaceAll('\0', '').slice(0, 500) ?? null,
      awaiting: step ?? null,
      passed: [...passed],
      return_to: returnTo ?? null,
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + lifetimeMs),
    })
    .execute()
  await evictExcess(tx, userId, { isComplete: !step })
  return key
}

/**
 * Ends the least recently used sessions above the limit. Incomplete sign-ins have their own limit, so that somebody who knows
 * only the password cannot end sessions.
 */
async function evictExcess(tx: Handle, userId: number, { isComplete }: { readonly isComplete: boolean }) {
  const excess = tx.kysely
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('awaiting', isComplete ? 'is' : 'is not', null)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_SESSIONS)
    .forUpdate()
    .skipLocked()
  await tx.kysely.deleteFrom('sessions').where('id', 'in', excess).execute()
}

/**
 * Locks an open account. Transactions that close the account, set its password or add a second factor either wait and end the
 * new session, or are seen. Throws 422 if the account is closed.
 */
export async function holdOpenAccount(tx: Handle, userId: number): Promise<void> {
  const open = await tx.kysely
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('closed_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!open) throw unprocessable({ base: [CLOSED_ACCOUNT] })
}

/** Locks a session until the transaction ends, so that its effects end with it. Returns false if it has ended. */
export async function holdSession(tx: Handle, sessionId: number): Promise<boolean> {
  const found = await tx.kysely
    .selectFrom('sessions')
    .select('id')
    .where('id', '=', sessionId)
    .forKeyShare()
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Finds the session or pending sign-in of a browser's key. A session that has not passed a second factor counts only while its
 * user has none. A closed account has no sessions (spec: accounts 4).
 */
export async function findSession(
  handle: Handle,
  now: Date,
  key: string,
): Promise<{ readonly session?: Session; readonly enrolling?: EnrollingSession; readonly pending?: PendingSignIn }> {
  const row = await handle.kysely
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('campus_users', (join) =>
      join.onRef('campus_users.user_id', '=', 'users.id').on('campus_users.is_primary', 'is', true),
    )
    .leftJoin('campus', 'campus.id', 'campus_users.campus_id')
    .select(['sessions.id', 'sessions.awaiting', 'sessions.passed', 'sessions.return_to'])
    .select(['sessions.created_at', 'sessions.last_seen_at'])
    .select(['users.id as user_id', 'users.login', 'users.kind', 'users.image', displayName().as('displayname')])
    .select([MUST_ENROL.as('must_enrol'), HAS_NO_FACTOR.as('has_no_factor')])
    .select(
      sql<number>`(select count(*)::int from (
        select from notifications n where n.user_id = users.id and n.read_at is null limit 100) unread)`.as('unread'),
    )
    .select(['campus_users.campus_id', 'campus.time_zone'])
    .where('sessions.digest', '=', digestOfKey(key))
    .where(isActive(now))
    .where('users.closed_at', 'is', null)
    .executeTakeFirst()
  if (!row) return {}
  const { id, awaiting, passed } = row
  const { user_id: userId, login, displayname, image, unread, kind, campus_id: campusId, time_zone: timeZone } = row
  const person = { id: userId, login, displayname, image, unread, isStaff: kind === 'admin', campusId, timeZone }
  if (awaiting !== null) return { pending: { id, person, awaiting, passed, returnTo: row.return_to } }
  if (!row.has_no_factor && !hasPassedSecondFactor(passed)) return {}
  // Not awaited: a page is also shown while the database cannot commit.
  if (now.getTime() - row.last_seen_at.getTime() >= NOTED_EVERY_MS) void recordLastSeen(handle, id, now).catch(() => {})
  const session = { id, person, createdAt: row.created_at, methods: methodsOf(passed) }
  return row.must_enrol ? { enrolling: { ...session, returnTo: row.return_to } } : { session }
}

const METHODS: readonly SignInMethod[] = ['password', 'school', 'passkey', 'one-time code', 'recovery code']

/** Returns the methods in a stored `passed`. */
export const methodsOf = (passed: readonly string[]): readonly SignInMethod[] =>
  passed.flatMap((name) => METHODS.find((method) => method === name) ?? [])

const hasPassedSecondFactor = (passed: readonly string[]): boolean =>
  SECOND_FACTOR_METHODS.some((method) => passed.includes(method))

/** Returns the greatest id of all sessions so far. */
export async function latestSessionId({ kysely }: Handle): Promise<number> {
  const row = await kysely
    .selectFrom('sessions')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Returns the sessions of a person, the last used first. */
export const listSessions = (handle: Handle, now: Date, userId: number) =>
  handle.kysely
    .selectFrom('sessions')
    .select(['id', 'address', 'user_agent', 'passed', 'created_at', 'last_seen_at'])
    .where('user_id', '=', userId)
    .where('awaiting', 'is', null)
    .where(isActive(now))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Throws 404 if the session is another user's. */
export async function endSession(handle: Handle, userId: number, sessionId: number): Promise<void> {
  const { numDeletedRows } = await handle.kysely
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('This session has ended already.')
}

/** Ends all sessions of a user except one. Returns their number. */
export async function endSessions(handle: Handle, userId: number, exceptId?: number): Promise<number> {
  const { numDeletedRows } = await handle.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(exceptId !== undefined, (query) => query.where('id', '!=', defined(exceptId)))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

type AddedFactor = {
  readonly userId: number
  /** The session that set up the factor. */
  readonly sessionId: number
  readonly method: SignInMethod
  /** Whether the user had no second factor before. */
  readonly isFirst: boolean
}

/**
 * Records that a session has passed the second factor it added, and ends the user's other sessions with one factor. A first
 * factor ends all other sessions, since every factor they may have passed was removed. Must run in a transaction that has
 * locked the user's factors. Throws 422 if the session has ended.
 */
export async function recordAddedFactor(
  tx: Handle,
  { userId, sessionId, method, isFirst }: AddedFactor,
): Promise<void> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('sessions')
    .set({ passed: sql`array_append(array_remove(passed, ${method}), ${method})` })
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw unprocessable({ base: ['Your session has ended; sign in again.'] })
  const methods = sql`array[${sql.join(SECOND_FACTOR_METHODS)}]::text[]`
  await tx.kysely
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '!=', sessionId)
    .$if(!isFirst, (query) => query.where(sql<boolean>`not passed && ${methods}`))
    .execute()
}

/** Replaces the key of a session, so that copies of its former cookie stop working. */
export async function renewKey(tx: Handle, sessionId: number): Promise<string> {
  const key = newKey()
  await tx.kysely
    .updateTable('sessions')
    .set({ digest: digestOfKey(key) })
    .where('id', '=', sessionId)
    .execute()
  return key
}

/** Ends the session of a key, complete or not. Returns false if there is none. */
export async function endSessionOfKey(handle: Handle, key: string): Promise<boolean> {
  const { numDeletedRows } = await handle.kysely
    .deleteFrom('sessions')
    .where('digest', '=', digestOfKey(key))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes and returns the `sid`s of a browser's session, if it is the user's, for the session that replaces it. */
export async function takeSignIns(tx: Handle, key: string, userId: number): Promise<readonly string[]> {
  const rows = await tx.kysely
    .updateTable('openid_sessions')
    .set({ session_id: null })
    .where('user_id', '=', userId)
    .where('session_id', '=', ({ selectFrom }) =>
      selectFrom('sessions').select('id').where('digest', '=', digestOfKey(key)),
    )
    .returning('sid')
    .execute()
  return rows.map(({ sid }) => sid)
}

/** Adds them to the session of a key. */
export async function giveSignIns(tx: Handle, key: string, sids: readonly string[]): Promise<void> {
  if (sids.length === 0) return
  await tx.kysely
    .updateTable('openid_sessions')
    .set(({ selectFrom }) => ({
      session_id: selectFrom('sessions').select('id').where('digest', '=', digestOfKey(key)),
    }))
    .where('sid', 'in', sids)
    .execute()
}

const digestOfKey = (key: string): Buffer => hash('sha256', key, 'buffer')

const isActive = (now: Date) =>
  sql<boolean>`sessions.expires_at > ${now} and sessions.last_seen_at > ${new Date(now.getTime() - IDLE_DAYS * DAY_MS)}`

async function recordLastSeen(handle: Handle, id: number, now: Date): Promise<void> {
  await handle.kysely.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', id).execute()
}
