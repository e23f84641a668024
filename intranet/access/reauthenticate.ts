import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { type AttemptLimit, countAttempt, forgetAttempts, type Tally } from './attempts.ts'
import { provePassword } from './prove-password.ts'
import type { Session } from './sessions.ts'

const LIMIT: AttemptLimit = { max: 10, withinSeconds: 900 }
/** Age until which a sign-in proves as much as a password. */
const FRESH_MINUTES = 10

export type Proof = 'password' | 'fresh sign-in'

/** Returns the required proof: the password, or a fresh sign-in if there is none. */
export async function proofNeeded(handle: Handle, userId: number): Promise<Proof> {
  return (await passwordDigestOf(handle, userId)) === null ? 'fresh sign-in' : 'password'
}

export const isFresh = (now: Date, { createdAt }: Session) =>
  now.getTime() - createdAt.getTime() <= FRESH_MINUTES * 60_000

/**
 * Reauthenticates before a change of how a person signs in, since a stolen session must not be enough. Attempts count by
 * session. Throws 422 and 429.
 */
export async function reauthenticate(tally: Tally, session: Session, password: string): Promise<void> {
  const { handle, now } = tally
  const name = `proof in session ${session.id}`
  await countAttempt(tally, name, LIMIT)
  const { id } = session.person
  const password_digest = await passwordDigestOf(handle, id)
  if (password_digest === null) {
    if (!isFresh(now, session)) throw unprocessable({ base: ['You signed in too long ago. Sign in again first.'] })
  } else if (!(await provePassword(handle, { id, password_digest }, password))) {
    throw unprocessable({ current_password: ['is wrong: check it and try again'] })
  }
  await forgetAttempts(tally, name)
}

/** Null if the person signs in by other means only. */
export async function passwordDigestOf({ kysely }: Handle, userId: number): Promise<string | null> {
  const { password_digest } = await kysely
    .selectFrom('users')
    .select('password_digest')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return password_digest
}
