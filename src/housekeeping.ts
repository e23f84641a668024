import type { FileStore } from './attachments/file-store.ts'
import { sweepFiles } from './attachments/stored-files.ts'
import type { Clock } from './clock.ts'
import type { Database } from './database/database.ts'
import type { Staging } from './http/staging.ts'
import { KEPT_HOURS } from './rest/idempotency.ts'

const HOUR_MS = 3_600_000
/** Ended tokens stay for a day, so that they are called expired or revoked rather than unknown. */
const TOKENS_KEPT_MS = 24 * HOUR_MS
/** No upload takes so long. */
const STAGED_KEPT_MS = 24 * HOUR_MS

/** Deletes what nobody can use any more: remembered answers and tokens past their time. */
export async function sweep({ kysely }: Pick<Database, 'kysely'>, now: Date): Promise<void> {
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  await kysely
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before(KEPT_HOURS * HOUR_MS))
    .execute()
  await kysely.deleteFrom('access_tokens').where('expires_at', '<', before(TOKENS_KEPT_MS)).execute()
}

type Swept = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
}

/** Sweeps once an hour until the returned function is called. Failures go to `onError`; the next hour tries again. */
export function sweepHourly({ database, clock, store, staging }: Swept, onError: (error: unknown) => void): () => void {
  const sweepAll = async () => {
    const now = clock.now()
    await sweep(database, now)
    await staging.sweep(new Date(now.getTime() - STAGED_KEPT_MS))
    await sweepFiles({ database, store, now })
  }
  const timer = setInterval(() => sweepAll().catch(onError), HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
