import type { Clock } from '@campus/engine/base/clock'
import { type Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { requireAgreeingClocks } from '@campus/engine/database/agreeing-clocks'
import type { Database, Handle } from '@campus/engine/database/database'
import { deleteInBatches, updateInBatches } from '@campus/engine/database/in-batches'
import { repeatWork } from '@campus/engine/database/repeat-work'
import type { Staging } from '@campus/engine/http/staging'
import { STORED_HOURS } from '@campus/engine/rest/write/idempotency'
import { sql } from 'kysely'
import { KNOWN_DAYS } from '../../access/known-browsers.ts'
import { UNUSED_DOCUMENT_CLIENT_MS } from '../../oauth/client-documents/document-client.ts'
import { rotateSigningKeys } from '../../oauth/openid/signing-keys.ts'
import { UNUSED_SELF_REGISTERED_MS } from '../../oauth/self-registered-client.ts'
import { DOCUMENT_PREFIX, SELF_REGISTERED_PREFIX, UNREGISTERED_SCOPES } from '../../oauth/unregistered-clients.ts'
import type { FileStore } from '../../services/attachments/file-store.ts'
import { sweepProfilePictures } from '../../services/attachments/profile-pictures.ts'
import { sweepFiles } from '../../services/attachments/stored-files.ts'
import { remindOfEvaluations } from '../../services/notifications/notify.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'
import { sweepDeliveries } from '../../webhooks/delivery-log.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Expired and revoked tokens stay for a day, so that errors can call them so. */
const TOKENS_RETENTION_MS = DAY_MS
/** Exceeds the duration of any upload. */
const STAGED_RETENTION_MS = DAY_MS
/** Charts of applications show a fortnight. */
const CALLS_RETENTION_MS = 14 * DAY_MS

/** Tables whose rows are deleted when a time is older than an age. */
export const EXPIRED: readonly (readonly [table: string, column: string, ageMs: number])[] = [
  ['idempotency_keys', 'created_at', STORED_HOURS * HOUR_MS],
  ['access_tokens', 'expires_at', TOKENS_RETENTION_MS],
  ['authorization_codes', 'expires_at', TOKENS_RETENTION_MS],
  ['refresh_tokens', 'expires_at', TOKENS_RETENTION_MS],
  ['application_calls', 'hour', CALLS_RETENTION_MS],
  ['application_route_calls', 'hour', CALLS_RETENTION_MS],
  ['application_refusals', 'created_at', CALLS_RETENTION_MS],
  ['audit_events', 'created_at', 365 * DAY_MS],
  ['sessions', 'expires_at', 0],
  ['password_resets', 'expires_at', 0],
  ['first_administrator_links', 'expires_at', 0],
  // Kept for questions whether a mail was sent.
  ['mails', 'decided_at', 30 * DAY_MS],
  ['attempts', 'ends_at', 0],
  ['spent_challenges', 'expires_at', 0],
  ['notifications', 'created_at', 180 * DAY_MS],
  ['import_drafts', 'created_at', 7 * DAY_MS],
  ['known_browsers', 'last_used_at', KNOWN_DAYS * DAY_MS],
]

/** Queues, with the condition of waiting rows `t` and a number of days that exceeds their longest wait. */
export const QUEUES: readonly (readonly [table: string, waits: string, days: number])[] = [
  ['deliveries', "t.state = 'pending'", 2],
  ['webhook_deliveries', "t.state = 'pending'", 2],
  ['logout_notices', 'true', 2],
  ['pdf_jobs', 'true', 2],
  // Warnings that a secret will expire wait longest.
  ['mails', 't.decided_at is null', 30],
]

/**
 * Makes rows due that wait longer than any should, as after a clock that was ahead. Both the clock of this machine and that of
 * the database must agree.
 */
async function bringForward(database: Handle, now: Date): Promise<void> {
  for (const [table, waits, days] of QUEUES)
    await updateInBatches(database, table, {
      set: sql`due_at = ${now}`,
      matches: sql`${sql.raw(waits)} and t.due_at > greatest(${now}, now()) + ${sql.lit(days)} * interval '1 day'`,
    })
}

/** Deletes expired rows. */
export async function sweep(database: Handle, now: Date): Promise<void> {
  await bringForward(database, now)
  const before = (ageMs: number) => new Date(now.getTime() - ageMs)
  for (const [table, column, ageMs] of EXPIRED)
    await deleteInBatches(database, table, sql`${sql.ref(column)} < ${before(ageMs)}`)
  await sweepFamilies(database, before(TOKENS_RETENTION_MS))
  await sweepClients(database, DOCUMENT_PREFIX, before(UNUSED_DOCUMENT_CLIENT_MS))
  await sweepClients(database, SELF_REGISTERED_PREFIX, before(UNUSED_SELF_REGISTERED_MS))
  await sweepDeliveries(database, now)
}

/** Deletes families without codes and tokens. */
const sweepFamilies = (database: Handle, createdBefore: Date): Promise<number> =>
  deleteInBatches(
    database,
    'token_families',
    sql`created_at < ${createdBefore}
      and not exists (select from authorization_codes where family_id = t.id)
      and not exists (select from refresh_tokens where family_id = t.id)
      and not exists (select from access_tokens where family_id = t.id)`,
  )

/** Deletes applications of unregistered clients without consents, unless staff changed the scopes. */
const sweepClients = (database: Handle, uidPrefix: string, changedBefore: Date): Promise<number> =>
  deleteInBatches(
    database,
    'applications',
    sql`uid like ${`${uidPrefix}%`} and updated_at < ${changedBefore} and scopes = ${[...UNREGISTERED_SCOPES]}
      and not exists (select from consents where application_id = t.id)`,
  )

type Swept = {
  readonly database: Database
  readonly clock: Clock
  readonly store: FileStore
  readonly staging: Staging
  readonly jobs: Jobs
}

/** Sweeps once an hour until the returned function is called. Failures go to `onError`. */
export function sweepHourly(
  { database, clock, store, jobs }: Omit<Swept, 'staging'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const work = jobs.watch('sweep', () => sweepAll({ database: database.background, store, now: clock.now() }))
  return repeatWork({ database, milliseconds: HOUR_MS, work, onError })
}

type SweptAt = { readonly database: Handle; readonly store: FileStore; readonly now: Date }

/** Deletes expired rows and unneeded files, unless the clock of this machine is wrong. */
export async function sweepAll({ database, store, now }: SweptAt): Promise<void> {
  await requireAgreeingClocks(database, now)
  await sweep(database, now)
  await sweepProfilePictures(database, new Date(now.getTime() - HOUR_MS))
  await sweepFiles({ database, store, now })
}

/** Makes the next keys of ID tokens, once an hour, until the returned function is called. */
export function rotateKeysHourly(
  { database, clock, jobs, sealer }: Pick<Swept, 'database' | 'clock' | 'jobs'> & { readonly sealer: Sealer },
  onError: (error: unknown) => void,
): () => Promise<void> {
  const work = jobs.watch('rotate_signing_keys', () =>
    database.transaction(async (tx) => {
      const now = clock.now()
      await requireAgreeingClocks(tx, now)
      await rotateSigningKeys(tx, { sealer, now })
    }),
  )
  return repeatWork({ database, milliseconds: HOUR_MS, work, onError })
}

/** Reminds people of evaluations, each minute, until the returned function is called. */
export function remindEachMinute(
  { database, clock, jobs }: Pick<Swept, 'database' | 'clock' | 'jobs'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const work = jobs.watch('remind', async () =>
    (await remindOfEvaluations(database.background, clock.now())) === 0 ? NOTHING_TO_DO : undefined,
  )
  return repeatWork({ database, milliseconds: MINUTE_MS, work, onError })
}

/** Deletes incomplete uploads on this machine, once an hour, until the returned function is called. */
export function sweepStaging(
  { database, clock, staging, jobs }: Omit<Swept, 'store'>,
  onError: (error: unknown) => void,
): () => Promise<void> {
  const before = () => new Date(clock.now().getTime() - STAGED_RETENTION_MS)
  const work = jobs.watch('sweep_staging', () => staging.sweep(before()))
  return repeatWork({ database, milliseconds: HOUR_MS, work, onError })
}
