import { addressBlock } from '@campus/engine/base/address-block'
import { fold } from '@campus/engine/base/text/fold'
import type { Handle } from '@campus/engine/database/database'
import { sameName } from '@campus/engine/database/same-name'
import { unprocessable } from '@campus/engine/errors'
import { type AttemptLimit, countAttempt, type Tally, takeAttemptBack } from './attempts.ts'
import { NOBODY } from './nobody.ts'
import { provePassword } from './prove-password.ts'
import { CLOSED_ACCOUNT } from './sessions.ts'
import { type Origin, QUARTER_SECONDS, throttle } from './throttle.ts'

/** Limits failures with any login, against trying one password on many. A whole school may share one address. */
const PER_ADDRESS: AttemptLimit = { max: 1_000, withinSeconds: QUARTER_SECONDS }

type Credentials = { readonly login: string; readonly password: string }

/**
 * Finds the account of a login and password. An unknown login takes the same steps and gets the same answer as a wrong
 * password. Only the right password reveals that the account is closed. Throws 422 and 429.
 */
export async function authenticateByPassword(tally: Tally, credentials: Credentials, origin: Origin): Promise<number> {
  // Phones capitalize the first letter.
  const login = fold(credentials.login.trim())
  const user = await findByLogin(tally.handle, login)
  const attempted = { what: 'password', account: login, userId: user?.id ?? NOBODY }
  const { isKnown, forget } = await throttle(tally, attempted, origin)
  const takeBack = isKnown ? undefined : await countFromAddress(tally, origin.address)
  const isRight = await provePassword(tally.handle, user, credentials.password)
  if (!user || !isRight)
    throw unprocessable({ base: ['The login or the password is wrong. Check both and try again.'] })
  await takeBack?.()
  if (user.closed_at) throw unprocessable({ base: [CLOSED_ACCOUNT] })
  await forget()
  return user.id
}

/** Counts an attempt from an address, for any account. Returns a function that takes it back after a success. Throws 429. */
export async function countFromAddress(tally: Tally, address: string): Promise<() => Promise<void>> {
  const counter = `sign-in address ${addressBlock(address)}`
  await countAttempt(tally, counter, PER_ADDRESS)
  return () => takeAttemptBack(tally, counter)
}

const findByLogin = (handle: Handle, login: string) =>
  handle.kysely
    .selectFrom('users')
    .select(['id', 'password_digest', 'closed_at'])
    .where(sameName('login', login))
    .executeTakeFirst()
