import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import { KEPT_HOURS } from './rest/idempotency.ts'

const HOUR_MS = 3_600_000
/** Ended tokens stay for a day, so that they are called expired or revoked rather than unknown. */
const TOKENS_KEPT_MS = 24 * HOUR_MS

/** A fortnight of hours for the charts of applications. */
const CALLS_KEPT_MS = 14 * 24 * HOUR_MS
const AUDIT_KEPT_MS = 365 * 24 * HOUR_MS

/** Deletes what nobody can use any more: remembered answers, tokens, counted calls and audit events past their time. */
export async function sweep({ kysely }: Pick<Database, 'kysely'>, now: Date): Promise<void> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  await kysely
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before(KEPT_HOURS * HOUR_MS))
    .execute()
  await kysely.deleteFrom('access_tokens').where('expires_at', '<', before(TOKENS_KEPT_MS)).execute()
  await kysely.deleteFrom('application_calls').where('hour', '<', before(CALLS_KEPT_MS)).execute()
  await kysely.deleteFrom('audit_events').where('created_at', '<', before(AUDIT_KEPT_MS)).execute()
}

/** Sweeps once an hour until the returned function is called. Failures go to `onError`; the next hour tries again. */
export function sweepHourly(database: Database, clock: Clock, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => sweep(database, clock.now()).catch(onError), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
