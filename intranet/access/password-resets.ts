import { hash, randomBytes } from 'node:crypto'
import { fold } from '@campus/engine/base/text/fold'
import { normalizeAddress } from '@campus/engine/base/text/mail-address'
import type { Database, Handle } from '@campus/engine/database/database'
import { sameName } from '@campus/engine/database/same-name'
import { notFound, unprocessable } from '@campus/engine/errors'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { NO_MAIL_SENT, queueMail } from '../services/mail/queue-mail.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { recordAccountChange } from './account-changes.ts'
import { type AttemptLimit, isWithinLimit, type Tally } from './attempts.ts'
import { endPasswordResets } from './end-access.ts'
import { NOBODY } from './nobody.ts'
import { requirePower } from './powers.ts'
import { setPassword } from './set-password.ts'
import { markEmailVerified } from './verify-email.ts'

/** A link is handed over in person or by message, and used the same day. */
const LIFETIME_HOURS = 24

/** Path of the page that takes a reset token. */
export const RESET_PATH = '/reset-password'

type Reset = { readonly login: string; readonly path: string; readonly expiresAt: Date }

type Creation = { readonly login: string; readonly actor: Actor }

/**
 * Makes a link to choose another password once. Earlier links end, and the user is mailed. Returns the path without the
 * service's address. Must run in a transaction. Throws 403, 404 and 422.
 */
export async function createPasswordReset(tx: Handle, now: Date, { login, actor }: Creation): Promise<Reset> {
  const user = await openAccountOf(tx, login)
  await requirePower(tx, actor, user.id)
  await recordAccountChange(tx, now, { kind: 'reset_link_created', actor, subjectId: user.id })
  return storeReset(tx, now, user, { actor, mailedTo: null })
}

/** Makes the link for a mail to `mailedTo`. Its use verifies that address. */
export async function createMailedReset(
  tx: Handle,
  now: Date,
  { login, actor, mailedTo }: Creation & { readonly mailedTo: string },
): Promise<Reset> {
  const user = await openAccountOf(tx, login)
  await recordAudit(tx, now, { kind: 'reset_link_created', actor, subjectId: user.id })
  return storeReset(tx, now, user, { actor, mailedTo })
}

/** Only the token's digest is stored. */
async function storeReset(
  tx: Handle,
  now: Date,
  user: { readonly id: number; readonly login: string },
  { actor, mailedTo }: { readonly actor: Actor; readonly mailedTo: string | null },
): Promise<Reset> {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + LIFETIME_HOURS * 3_600_000)
  await endPasswordResets(tx, user.id)
  await tx.kysely
    .insertInto('password_resets')
    .values({
      digest: digestOf(token),
      user_id: user.id,
      created_by: actor.userId,
      mailed_to: mailedTo,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute()
  // The query is not logged.
  return { login: user.login, path: `${RESET_PATH}?token=${token}`, expiresAt }
}

/** Queues a mail with a link, which is made when the mail is sent. Throws 404, and 422 if no mail is sent. */
export async function mailPasswordReset(
  tx: Handle,
  now: Date,
  { login, actor }: Creation,
): Promise<{ readonly login: string; readonly mailed: true }> {
  const user = await openAccountOf(tx, login)
  await requirePower(tx, actor, user.id)
  const details = { command: actor.command }
  const isSent = await queueMail(tx, { kind: 'reset_link', userId: user.id, details, now })
  if (!isSent) throw unprocessable({ base: [NO_MAIL_SENT] })
  return { login: user.login, mailed: true }
}

/** Limits the mails that others can cause. */
const PER_PERSON: AttemptLimit = { max: 3, withinSeconds: 3600 }

/** Queues a link for the account with this login or address. Runs the same statements if there is no account. */
export async function requestPasswordReset(database: Database, tally: Tally, who: string): Promise<void> {
  await database.transaction(async (tx) => {
    const found = (await findPerson(tx, who)) ?? NOBODY
    const isSent = await isWithinLimit({ ...tally, handle: tx }, `forgot user ${found || fold(who)}`, PER_PERSON)
    const userId = isSent ? found : NOBODY
    await queueMail(tx, { kind: 'reset_link', userId, details: {}, now: tally.now })
  })
}

async function findPerson(handle: Handle, who: string): Promise<number | undefined> {
  const found = await handle.kysely
    .selectFrom('users')
    .select('id')
    .where('closed_at', 'is', null)
    .where(({ or }) => or([sameName('login', who), sameName('email', normalizeAddress(who))]))
    .limit(1)
    .executeTakeFirst()
  return found?.id
}

async function openAccountOf(
  { kysely }: Handle,
  login: string,
): Promise<{ readonly id: number; readonly login: string }> {
  const user = await kysely
    .selectFrom('users')
    .select(['id', 'login', 'closed_at'])
    .where(sameName('login', login))
    // The lock orders this after or before a transaction that closes the account and ends its links.
    .forShare()
    .executeTakeFirst()
  if (!user) throw notFound('No user has this login.')
  if (user.closed_at) throw unprocessable({ base: ['This account is closed, so nobody can sign in to it.'] })
  return user
}

/** Returns the user whose password a token may set, or undefined if the token was used, replaced or has expired. */
export const findPasswordReset = (handle: Handle, now: Date, token: string) =>
  passwordResets(handle, now, token).executeTakeFirst()

const passwordResets = (handle: Handle, now: Date, token: string) =>
  handle.kysely
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.user_id')
    .select(['users.id', 'users.login', 'password_resets.mailed_to'])
    .where('password_resets.digest', '=', digestOf(token))
    .where('password_resets.expires_at', '>', now)
    .where('users.closed_at', 'is', null)

type Chosen = {
  readonly token: string
  readonly password: string
  /** Network address of the person. */
  readonly address: string
}

/**
 * Sets the password that the holder of a link chose, and uses up the link. Sessions and tokens end. Must run in a transaction.
 * Throws 404 and 422.
 */
export async function resetPassword(
  tx: Handle,
  now: Date,
  sealing: Sealing,
  { token, password, address }: Chosen,
): Promise<void> {
  // Locks the person before the link, like transactions that close the account or set a password.
  const found = await passwordResets(tx, now, token).forNoKeyUpdate('users').executeTakeFirst()
  if (!found) throw unknownReset()
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('password_resets')
    .where('digest', '=', digestOf(token))
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw unknownReset()
  const actor = { userId: null, address }
  await setPassword(tx, sealing, { userId: found.id, password, kind: 'password_reset', actor, now })
  if (found.mailed_to !== null) await markEmailVerified(tx, now, found.id, found.mailed_to)
}

/** 404 for an invalid link. */
export const unknownReset = () =>
  notFound('This link was used already, was replaced by a newer one, or is too old. Ask for another one.')

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')
