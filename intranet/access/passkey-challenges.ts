import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import type { Sealer } from '../services/sealing/sealer.ts'

/** Long enough to find a security key and type its PIN. */
const LIFETIME_MS = 5 * 60_000

/** A challenge is valid for one purpose only. */
export type ChallengePurpose = 'sign-in' | 'second-factor' | 'proof' | 'registration'

/** Values that a challenge is bound to. */
export type Bound = {
  readonly purpose: ChallengePurpose
  /** The key of the browser's cookie, which changes whenever another user signs in. */
  readonly browserKey: string
  /** User whose passkey must answer. Undefined if the passkey names its user. */
  readonly userId: number | undefined
}

type Signing = { readonly sealer: Pick<Sealer, 'sign'>; readonly now: Date }

/**
 * Returns a new challenge as base64url. It contains its expiry and a signature, so that only answered challenges are stored
 * (`spendChallenge`).
 */
export function issueChallenge({ sealer, now }: Signing, bound: Bound): string {
  const text = `${randomBytes(16).toString('base64url')}.${now.getTime() + LIFETIME_MS}`
  return Buffer.from(`${text}.${sealer.sign(signedText(text, bound))}`).toString('base64url')
}

/** A challenge is good once, for its purpose, until it expires. */
type Spending = 'good' | 'late' | 'spent' | 'foreign'

/** Uses up a challenge, whether its answer is valid or not. */
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
