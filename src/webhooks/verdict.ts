import { type Chance, nextTryAt, readRetryAfter } from './schedule.ts'
import type { Outcome } from './transport.ts'

/** What a try means for its call (decisions §7). */
export type Verdict =
  | { readonly state: 'delivered' | 'rejected' }
  | { readonly state: 'dead'; readonly isGone: boolean }
  | { readonly state: 'pending'; readonly dueAt: Date }

type Try = {
  /** How many there have been, this one included. */
  readonly tries: number
  /** When it ended. */
  readonly at: Date
}

/** Judges a try that was answered or failed. */
export function judge(outcome: Exclude<Outcome, { kind: 'given back' }>, { tries, at }: Try, chance: Chance): Verdict {
  let retryAfterSeconds: number | undefined
  if (outcome.kind === 'answered') {
    const { status, retryAfter } = outcome
    if (status >= 200 && status < 300) return { state: 'delivered' }
    if (status === 404 || status === 422) return { state: 'rejected' }
    if (status === 410) return { state: 'dead', isGone: true }
    if (status === 429 || status === 503) retryAfterSeconds = readRetryAfter(retryAfter, at)
  }
  const dueAt = nextTryAt({ tries, at, retryAfterSeconds }, chance)
  return dueAt ? { state: 'pending', dueAt } : { state: 'dead', isGone: false }
}
