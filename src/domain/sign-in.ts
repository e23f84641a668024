import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import { type AttemptLimit, countAttempt, forgetAttempts } from './attempts.ts'
import { recordEvent } from './audit.ts'
import { verifyPassword } from './passwords.ts'
import { CLOSED_ACCOUNT } from './sessions.ts'

const PER_ACCOUNT: AttemptLimit = { most: 10, withinSeconds: 900 }
/** A whole school may come from one address. */
const PER_ADDRESS: AttemptLimit = { most: 100, withinSeconds: 900 }

type Credentials = { readonly login: string; readonly password: string }

/**
 * Whose login and password these are. An unknown login takes the same steps and gets the same answer as a wrong
 * password; that an account is closed is told only to who knows its password. Throws 422 and 429.
 */
export async function proveByPassword(
  handle: Handle,
  now: Date,
  { login, password }: Credentials,
  address: string,
): Promise<number> {
  const account = `sign-in account ${login.trim().toLowerCase()}`
  await countAttempt(handle, now, `sign-in address ${address}`, PER_ADDRESS)
  await countAttempt(handle, now, account, PER_ACCOUNT, () => recordThrottled(handle, now, login, address))
  const user = await findByLogin(handle, login.trim().toLowerCase())
  const isRight = await verifyPassword(user?.password_digest ?? null, password)
  if (!user || !isRight) throw unprocessable({ base: ['The login or the password is not right.'] })
  if (user.closed_at) throw unprocessable({ base: [CLOSED_ACCOUNT] })
  await forgetAttempts(handle, account)
  return user.id
}

/** For the person to see, where the login is anybody's. */
async function recordThrottled(handle: Handle, now: Date, login: string, address: string): Promise<void> {
  const user = await findByLogin(handle, login.trim().toLowerCase())
  if (!user) return
  await recordEvent(handle, now, { kind: 'sign_in_throttled', doer: { userId: null, address }, subjectId: user.id })
}

/** Logins are lower-case; a phone likes to begin with a capital. */
const findByLogin = (handle: Handle, login: string) =>
  handle.kysely
    .selectFrom('users')
    .select(['id', 'password_digest', 'closed_at'])
    .where('login', '=', login)
    .executeTakeFirst()
