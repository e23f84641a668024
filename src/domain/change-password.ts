import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { hashNewPassword } from './accounts.ts'
import { type AttemptLimit, countAttempt, forgetAttempts } from './attempts.ts'
import { verifyPassword } from './passwords.ts'

const LIMIT: AttemptLimit = { most: 10, withinSeconds: 900 }

/** A password that a person wants instead of the current one. */
type Change = { readonly userId: number; readonly current: string; readonly next: string }

/**
 * The digest of a person's next password, once they have shown that they know the current one: a session that
 * somebody else got hold of is not enough. Throws 422 and 429.
 */
export async function provePasswordChange(
  handle: Handle,
  now: Date,
  { userId, current, next }: Change,
): Promise<string> {
  const name = `change-password ${userId}`
  await countAttempt(handle, now, name, LIMIT)
  const user = await handle.kysely
    .selectFrom('users')
    .select('password_digest')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!(await verifyPassword(user.password_digest, current))) {
    throw unprocessable({ current_password: ['is not right'] })
  }
  const digest = await hashNewPassword(next)
  await forgetAttempts(handle, name)
  return digest
}
