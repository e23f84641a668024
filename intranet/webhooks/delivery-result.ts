import { type Chance, nextAttemptAt } from '@campus/engine/base/retry-schedule'
import { readRetryAfter, SCHEDULE } from './schedule.ts'
import type { PostResult } from './transport.ts'

/** Result of an attempt for its delivery (spec: webhooks 9). */
export type DeliveryResult =
  | { readonly state: 'delivered' | 'rejected' }
  | { readonly state: 'dead'; readonly isGone: boolean }
  | { readonly state: 'pending'; readonly dueAt: Date }

type Attempt = {
  /** Number of attempts, including this one. */
  readonly attempts: number
  /** End of the attempt. */
  readonly at: Date
}

export function classify(
  result: Exclude<PostResult, { kind: 'aborted' }>,
  { attempts, at }: Attempt,
  chance: Chance,
): DeliveryResult {
  let atLeastSeconds = 0
  if (result.kind === 'answered') {
    const { status, retryAfter } = result
    if (status >= 200 && status < 300) return { state: 'delivered' }
    if (status === 404 || status === 422) return { state: 'rejected' }
    if (status === 410) return { state: 'dead', isGone: true }
    if (status === 429 || status === 503) atLeastSeconds = readRetryAfter(retryAfter, at) ?? 0
  }
  const dueAt = nextAttemptAt(SCHEDULE, { attempts, at, atLeastSeconds }, chance)
  return dueAt ? { state: 'pending', dueAt } : { state: 'dead', isGone: false }
}
