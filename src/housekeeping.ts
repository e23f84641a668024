import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import { KEPT_HOURS } from './rest/idempotency.ts'
import { sweepDeliveries } from './webhooks/log.ts'

const HOUR_MS = 3_600_000
/** Ended tokens stay for a day, so that they are called expired or revoked rather than unknown. */
const TOKENS_KEPT_MS = 24 * HOUR_MS

/** Deletes what nobody can use any more: remembered answers, tokens and the log of outgoing calls past their time. */
export async function sweep(database: Pick<Database, 'kysely' | 'rows'>, now: Date): Promise<void> {
  const { kysely } = database
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  await kysely
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before(KEPT_HOURS * HOUR_MS))
    .execute()
  await kysely.deleteFrom('access_tokens').where('expires_at', '<', before(TOKENS_KEPT_MS)).execute()
  await sweepDeliveries(database, now)
}

/** Sweeps once an hour until the returned function is called. Failures go to `onError`; the next hour tries again. */
export function sweepHourly(database: Database, clock: Clock, onError: (error: unknown) => void): () => void {
  const timer = setInterval(() => sweep(database, clock.now()).catch(onError), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
