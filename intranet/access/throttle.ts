import { addressBlock } from '@campus/engine/base/address-block'
import { defined } from '@campus/engine/base/defined'
import { sql } from 'kysely'
import type { AuditKind } from '../services/audit/audit.ts'
import { queueMail } from '../services/mail/queue-mail.ts'
import {
  type AttemptLimit,
  countAttempt,
  forgetAttempts,
  isWithinLimit,
  type Tally,
  takeAttemptBack,
} from './attempts.ts'
import { knowsBrowser } from './known-browsers.ts'
import { NOBODY } from './nobody.ts'
import { passwordDigestOf } from './reauthenticate.ts'

/** Origin of attempts to guess a secret. */
export type Origin = {
  readonly address: string
  /** The browser's key from an earlier sign-in to any account. */
  readonly browserKey: string | undefined
}

type AttemptedSignIn = {
  readonly what: string
  /** Name of an account, which need not exist. */
  readonly account: string
  /** The user, or `NOBODY`. */
  readonly userId: number
}

export const QUARTER_SECONDS = 900
const PER_ORIGIN: AttemptLimit = { max: 10, withinSeconds: QUARTER_SECONDS }
const PER_EVENT: AttemptLimit = { max: 1, withinSeconds: QUARTER_SECONDS }

export type Throttle = {
  /** Whether the person has signed in in this browser before. */
  readonly isKnown: boolean
  /** Resets the count, as after a success. */
  forget(): Promise<void>
}

/**
 * Counts an attempt against one account from one origin: ten in a quarter of an hour from an address block, and ten for each
 * known browser. So nobody can lock out another person. The user is mailed once. Throws 429.
 */
export async function throttle(tally: Tally, attempted: AttemptedSignIn, origin: Origin): Promise<Throttle> {
  const { what, account, userId } = attempted
  const { address, browserKey } = origin
  const isKnown = await knowsBrowser(tally.handle, tally.now, userId, browserKey)
  const from = isKnown ? `browser ${browserKey}` : `address ${addressBlock(address)}`
  const name = `${what} of ${account} from ${from}`
  await countAttempt(tally, name, PER_ORIGIN, () => recordThrottled(tally, attempted, address))
  return { isKnown, forget: () => forgetAttempts(tally, name) }
}

/** Further limits for codes of six digits, since an attacker with the password may try for months. */
const OF_CODES: readonly AttemptLimit[] = [
  { max: 100, withinSeconds: 86_400, remedy: 'choose another password' },
  { max: 300, withinSeconds: 30 * 86_400, remedy: 'choose another password' },
]

/**
 * Counts a code as `throttle` does, and also by day and month: for all unknown browsers together, and for each known one.
 * Counts belong to one password, so a new password locks out those who knew the former one. Mails the user. Throws 429.
 */
export async function throttleCode(tally: Tally, userId: number, origin: Origin): Promise<{ forget(): Promise<void> }> {
  const attempted = { what: 'second factor', account: String(userId), userId }
  const { isKnown, forget } = await throttle(tally, attempted, origin)
  const from = isKnown ? `browser ${origin.browserKey}` : 'new browsers'
  const under = await passwordDigestOf(tally.handle, userId)
  const names = OF_CODES.map(
    ({ withinSeconds }) => `codes of ${userId} under ${under} from ${from} in ${withinSeconds}`,
  )
  for (const [at, limit] of OF_CODES.entries()) {
    await countAttempt(tally, defined(names[at]), limit, () => mailAboutCodes(tally, attempted, origin.address))
  }
  return {
    async forget() {
      await forget()
      for (const name of names) await takeAttemptBack(tally, name)
    },
  }
}

/** Someone who enters many codes knows the password. */
async function mailAboutCodes(tally: Tally, attempted: AttemptedSignIn, address: string): Promise<void> {
  const { handle, now } = tally
  await recordThrottled(tally, attempted, address)
  const details = { at: now.toISOString(), address }
  await queueMail(handle, { kind: 'codes_guessed', userId: attempted.userId, details, now })
}

/**
 * Recorded for the user to see, where the account exists; once in a quarter of an hour, from any number of addresses.
 */
async function recordThrottled(
  tally: Tally,
  { what, account, userId }: AttemptedSignIn,
  address: string,
): Promise<void> {
  const isFirst = await isWithinLimit(tally, `told of ${what} ${userId || account}`, PER_EVENT)
  const subjectId = isFirst ? userId : NOBODY
  await sql`
    insert into audit_events (kind, subject_id, address, created_at)
    select ${'sign_in_throttled' satisfies AuditKind}, id, ${address}, ${tally.now} from users where id = ${subjectId}
  `.execute(tally.handle.kysely)
}
