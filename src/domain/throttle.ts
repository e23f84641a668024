import { sql } from 'kysely'
import { addressBlock } from '../address-block.ts'
import type { AuditKind } from '../audit/audit.ts'
import { type AttemptLimit, countAttempt, forgetAttempts, isWithinLimit, type Tally } from './attempts.ts'
import { knowsBrowser } from './known-browsers.ts'
import { NOBODY } from './nobody.ts'

/** Where somebody tries something that could be guessed. */
export type Origin = {
  readonly address: string
  /** What the browser keeps from an earlier sign-in, to whatever account. */
  readonly browserKey: string | undefined
}

type Tried = {
  /** What is tried: `password`, `second factor`. */
  readonly what: string
  /** By what the account is named; it need not exist. */
  readonly account: string
  /** The person behind it, or `NOBODY`. */
  readonly userId: number
}

export const QUARTER_SECONDS = 900
const PER_ORIGIN: AttemptLimit = { most: 10, withinSeconds: QUARTER_SECONDS }
const PER_EVENT: AttemptLimit = { most: 1, withinSeconds: QUARTER_SECONDS }

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
export async function throttle(tally: Tally, tried: Tried, origin: Origin): Promise<Throttle> {
  const { what, account, userId } = tried
  const { address, browserKey } = origin
  const isKnown = await knowsBrowser(tally.handle, tally.now, userId, browserKey)
  const from = isKnown ? `browser ${browserKey}` : `address ${addressBlock(address)}`
  const name = `${what} of ${account} from ${from}`
  await countAttempt(tally, name, PER_ORIGIN, () => recordThrottled(tally, tried, address))
  return { isKnown, forget: () => forgetAttempts(tally, name) }
}

/** For the person to see, where it is anybody's; once in a quarter of an hour, from however many addresses. */
async function recordThrottled(tally: Tally, { what, account, userId }: Tried, address: string): Promise<void> {
  const isFirst = await isWithinLimit(tally, `told of ${what} ${userId || account}`, PER_EVENT)
  const subjectId = isFirst ? userId : NOBODY
  await sql`
    insert into audit_events (kind, subject_id, address, created_at)
    select ${'sign_in_throttled' satisfies AuditKind}, id, ${address}, ${tally.now} from users where id = ${subjectId}
  `.execute(tally.handle.kysely)
}
