import type { RetrySchedule } from '@campus/engine/base/retry-schedule'

const HOUR = 3600

/** Delays between attempts (spec: webhooks 10), about three days in all. After the last attempt a delivery is dead. */
export const SCHEDULE: RetrySchedule = {
  delaysSeconds: [5, 60, 5 * 60, 30 * 60, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
  jitter: 0.2,
}

/** Failures without a success after which an endpoint is disabled (spec: webhooks 12). */
export const DISABLE_AFTER = { days: 5, calls: 10 }

const MAX_RETRY_AFTER_SECONDS = 24 * HOUR

/** Reads `Retry-After`, a number or a date (RFC 9110 §10.2.3), as seconds from now, 24 hours at most. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  const seconds = header === undefined ? undefined : readSeconds(header, now)
  return seconds === undefined ? undefined : Math.min(Math.max(0, seconds), MAX_RETRY_AFTER_SECONDS)
}

function readSeconds(header: string, now: Date): number | undefined {
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : (at - now.getTime()) / 1000
}
