import { hash, randomBytes } from 'node:crypto'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { notFound, unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { displayName } from './display-name.ts'
import { HAS_NO_FACTOR } from './factors.ts'
import { MUST_ENROL } from './second-factor-requirements.ts'

const DAY_MS = 86_400_000
/** After this long without a visit a session is over. */
const IDLE_DAYS = 7
/** However often it is used, a session ends this long after the sign-in. */
const MAX_DAYS = 30
/** A sign-in that waits for its next step. */
const AWAITING_MINUTES = 10
/** Maximum number of sessions of a user, and of sign-ins that wait for a step. */
export const MAX_SESSIONS = 100
/** Noting every visit would make a write of every read. */
const NOTED_EVERY_MS = 60_000

/** Message about a closed account, shown only after authentication. */
export const CLOSED_ACCOUNT = 'This account is closed. Ask the staff of your campus.'

/** A user who is signed in. */
export type Person = {
  readonly id: number
  readonly login: string
  readonly displayname: string
  /** How many notifications they have not read, up to 100. */
  readonly unread: number
  /** The address of their picture, as `users.image`. */
  readonly image: string | null
  /** Works for the school (`kind` is `admin`). */
  readonly isStaff: boolean
  /** Their primary campus. */
  readonly campusId: number | null
  /** IANA time zone of that campus. */
  readonly timeZone: string | null
}

/** How a user authenticated for a session, by the names that are stored. */
export type SignInMethod = 'password' | 'school' | 'passkey' | 'one-time code' | 'recovery code'

/** Methods that pass a second factor. A passkey also replaces the password. */
export const SECOND_FACTOR_METHODS: readonly SignInMethod[] = ['passkey', 'one-time code', 'recovery code']

/** A browser in which `person` is signed in. */
export type Session = {
  readonly id: number
  readonly person: Person
  /** When the user authenticated. */
  readonly createdAt: Date
  /** By what, in its order; empty where a release signed them in that did not record it. */
  readonly methods: readonly SignInMethod[]
}

/** A session that may do nothing but set up a second factor, which is required of its user. */
export type EnrollingSession = Session & { readonly returnTo: string | null }

/** A sign-in that waits for a further step; the person has proved to know the password and nothing more. */
export type PendingSignIn = {
  readonly id: number
  readonly person: Person
  readonly awaiting: string
  readonly passed: readonly string[]
  readonly returnTo: string | null
}

/** Network address and browser of a session. */
export type Browser = { readonly address: string; readonly userAgent: string | undefined }

/** How far a sign-in is. */
type Progress = {
  /** By what the user has authenticated so far, and the steps that are behind them. */
  readonly passed: readonly string[]
  /** The step that is still to be passed before the session counts. */
  readonly step?: string | undefined
  /** Path to continue at after the last step. */
  readonly returnTo?: string
}

/** A new key for a browser: 256 random bits as base64url. */
export const newKey = (): string => randomBytes(32).toString('base64url')

/**
 * Creates a session, which is incomplete while a `step` remains. Returns the key for the cookie; only its digest is stored. Ends
 * the user's least recently used sessions above the limit. Run it in a transaction. Throws 422 if the account is closed.
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
 * Ends the user's least recently used sessions above the limit. Incomplete sign-ins have a limit of their own, so that somebody
 * who knows only the password cannot end sessions.
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
 * Locks an open account. A transaction that closes the account, sets its password or adds a second factor waits until the
 * new session exists and ends it, or runs first and is seen. Throws 422 if the account is closed.
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

/** Holds a session until the transaction ends, so that what follows from it ends with it. False where it has ended. */
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
 * Finds the session, enrolling session or pending sign-in of a browser's key. A session that has not passed a second factor
 * itself counts only while its user has none. A closed account has no sessions (spec: accounts 4).
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
  // Not waited for: a page is also shown while the database cannot commit.
  if (now.getTime() - row.last_seen_at.getTime() >= NOTED_EVERY_MS) void recordLastSeen(handle, id, now).catch(() => {})
  const session = { id, person, createdAt: row.created_at, methods: methodsOf(passed) }
  return row.must_enrol ? { enrolling: { ...session, returnTo: row.return_to } } : { session }
}

const METHODS: readonly SignInMethod[] = ['password', 'school', 'passkey', 'one-time code', 'recovery code']

/** The methods among what is stored as passed. */
export const methodsOf = (passed: readonly string[]): readonly SignInMethod[] =>
  passed.flatMap((name) => METHODS.find((method) => method === name) ?? [])

const hasPassedSecondFactor = (passed: readonly string[]): boolean =>
  SECOND_FACTOR_METHODS.some((method) => passed.includes(method))

/** The latest of all sessions that have begun so far: those that begin later have greater ids. */
export async function latestSessionId({ kysely }: Handle): Promise<number> {
  const row = await kysely
    .selectFrom('sessions')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** The sessions of a person, the one used last first. */
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

/** Ends one session of a user. Throws 404 where the session is not theirs. */
export async function endSession(handle: Handle, userId: number, sessionId: number): Promise<void> {
  const { numDeletedRows } = await handle.kysely
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('This session has ended already.')
}

/** Ends all sessions of a user, except one. Gives their number. */
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
  /** The session that set the factor up. */
  readonly sessionId: number
  readonly method: SignInMethod
  /** Whether the user had no second factor before. */
  readonly isFirst: boolean
}

/**
 * Records that a session has passed the second factor it added, and ends the user's other sessions that signed in with one
 * factor. A first factor ends all other sessions, since every second factor they may have passed was removed. Run it in a
 * transaction that has locked the user's factors. Throws 422 if the session has ended.
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

/** Replaces the key of a session, so that copies of its former cookie stop working. Returns the new key. */
export async function renewKey(tx: Handle, sessionId: number): Promise<string> {
  const key = newKey()
  await tx.kysely
    .updateTable('sessions')
    .set({ digest: digestOfKey(key) })
    .where('id', '=', sessionId)
    .execute()
  return key
}

/** Ends the session that a key stands for, be it complete or not. False where there is none any more. */
export async function endSessionOfKey(handle: Handle, key: string): Promise<boolean> {
  const { numDeletedRows } = await handle.kysely
    .deleteFrom('sessions')
    .where('digest', '=', digestOfKey(key))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Takes from a browser's session what applications know it by (`sid`), where it is the user's own, for the session that replaces it. */
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

/** Gives it to the session of a key. */
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
