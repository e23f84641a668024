import { sql } from 'kysely'
import { addressBlock } from '../../address-block.ts'
import type { AuditKind } from '../../audit/audit.ts'
import { defined } from '../../defined.ts'
import { queueMail } from '../../mail/queue-mail.ts'
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

/** Where somebody tries something that could be guessed. */
export type Origin = {
  readonly address: string
  /** What the browser keeps from an earlier sign-in, to whatever account. */
  readonly browserKey: string | undefined
}

type AttemptedSignIn = {
  /** What is tried: `password`, `second factor`. */
  readonly what: string
  /** By what the account is named; it need not exist. */
  readonly account: string
  /** The person behind it, or `NOBODY`. */
  readonly userId: number
}

export const QUARTER_SECONDS = 900
const PER_ORIGIN: AttemptLimit = { max: 10, withinSeconds: QUARTER_SECONDS }
const PER_EVENT: AttemptLimit = { max: 1, withinSeconds: QUARTER_SECONDS }

/** What a try counted against. */
export type Throttle = {
  /** Whether the person has signed in, in this browser, before. */
  readonly isKnown: boolean
  /** Starts the count anew, as after a success. */
  forget(): Promise<void>
}

/**
 * Counts a try against one account from one place: ten in a quarter of an hour from an address block, and ten of its own
 * for each browser in which the person has signed in before. So nobody shuts anybody else out, and the person is told
 * of it once. Throws 429.
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

/** What a code of six digits is guarded with beyond that, since whoever has the password may go on for months. */
const OF_CODES: readonly AttemptLimit[] = [
  { max: 100, withinSeconds: 86_400, remedy: 'choose another password' },
  { max: 300, withinSeconds: 30 * 86_400, remedy: 'choose another password' },
]

/**
 * Counts a code as `throttle` does, and by day and month: those from all browsers together in which the person has not signed in
 * before, and those of each other browser. The counts are of one password, so that whoever chooses another one shuts out who
 * knew it, and nobody else. The person is told. Throws 429.
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

/** Whoever tries many codes knows the password. */
async function mailAboutCodes(tally: Tally, attempted: AttemptedSignIn, address: string): Promise<void> {
  const { handle, now } = tally
  await recordThrottled(tally, attempted, address)
  const details = { at: now.toISOString(), address }
  await queueMail(handle, { kind: 'codes_guessed', userId: attempted.userId, details, now })
}

/** For the person to see, where it is anybody's; once in a quarter of an hour, from however many addresses. */
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
