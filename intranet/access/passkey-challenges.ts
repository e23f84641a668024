import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import type { Sealer } from '../services/sealing/sealer.ts'

/** Long enough to find a security key, and to type its PIN. */
const LIFETIME_MS = 5 * 60_000

/** What a challenge is for. An answer to one is none to another. */
export type ChallengePurpose = 'sign-in' | 'second-factor' | 'proof' | 'registration'

/** What a challenge is bound to. */
export type Bound = {
  readonly purpose: ChallengePurpose
  /** The key of the browser's cookie, which changes whenever another user signs in. */
  readonly browserKey: string
  /** Whose passkey is to answer; undefined where the passkey says it. */
  readonly userId: number | undefined
}

type Signing = { readonly sealer: Pick<Sealer, 'sign'>; readonly now: Date }

/**
 * A new challenge as base64url. It carries its end and the service's signature, so that nothing is stored for those who
 * only look at a page; what was answered is stored (`spendChallenge`).
 */
export function issueChallenge({ sealer, now }: Signing, bound: Bound): string {
  const text = `${randomBytes(16).toString('base64url')}.${now.getTime() + LIFETIME_MS}`
  return Buffer.from(`${text}.${sealer.sign(signedText(text, bound))}`).toString('base64url')
}

/** What comes of an answered challenge: it is good once, for what it was made for, in its time. */
type Spending = 'good' | 'late' | 'spent' | 'foreign'

/** Uses a challenge up, so that the same answer is refused from then on, be it valid or not. */
export async function spendChallenge(
  handle: Handle,
  { sealer, now }: Signing,
  challenge: string,
  bound: Bound,
): Promise<Spending> {
  const [, text = '', until = '', signature = ''] =
    /^([\w-]{22}\.(\d{13,15}))\.([\w-]{43})$/.exec(Buffer.from(challenge, 'base64url').toString('latin1')) ?? []
  if (!isSame(signature, sealer.sign(signedText(text, bound)))) return 'foreign'
  const endsAt = Number(until)
  if (endsAt <= now.getTime()) return 'late'
  const { numInsertedOrUpdatedRows } = await handle.kysely
    .insertInto('spent_challenges')
    .values({ digest: hash('sha256', text, 'buffer'), expires_at: new Date(endsAt) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 0n ? 'spent' : 'good'
}

const signedText = (text: string, { purpose, browserKey, userId }: Bound) =>
  `passkey challenge ${text} for ${purpose} of ${userId ?? 'anybody'} in ${hash('sha256', browserKey)}`

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
