import type { Clock } from '@campus/engine/base/clock'
import { type Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { tryAdvisoryLock } from '@campus/engine/database/advisory-lock'
import type { Database } from '@campus/engine/database/database'
import { repeatWork } from '@campus/engine/database/repeat-work'
import type { FileStore } from '@campus/intranet/services/attachments/file-store'
import type { BackupDestination } from './backup-destination.ts'
import { lastBackupAt } from './backup-destinations.ts'
import { findPassphrase } from './passphrase.ts'
import { expiredNames, scheduledName } from './retention.ts'
import type { BackupConfig } from './settings.ts'

export type Scheduled = {
  readonly database: Database
  readonly store: FileStore
  readonly clock: Clock
  readonly secretKey: Buffer
  /** Id of the operator's key for deliveries, or undefined if each process has its own. */
  readonly sharedSealing?: string | undefined
  readonly backup: BackupConfig
  readonly destination: BackupDestination
  /** Aborts a running backup. */
  readonly signal?: AbortSignal
}

type Schedule = NonNullable<BackupConfig['schedule']>

/** The advisory lock under which one process makes a backup. */
const BACKUP_LOCK = 4204
const LOOK_MS = 60_000
const HOUR_MS = 3_600_000

/** Makes backups when they are due until the returned function is called. Retries an hour after an error. */
export function backUpOnSchedule(
  { jobs, ...scheduled }: Scheduled & { readonly jobs: Jobs },
  { onMade, onError }: { onMade(name: string): void; onError(error: unknown): void },
  milliseconds = LOOK_MS,
): () => Promise<void> {
  const { database, clock } = scheduled
  const stopping = new AbortController()
  const { signal } = stopping
  let tryAgainAt = 0
  const work = jobs.watch('back_up', async () => {
    const now = clock.now().getTime()
    // The clock may have been set back since the failure.
    if (now < tryAgainAt && tryAgainAt <= now + HOUR_MS) return NOTHING_TO_DO
    tryAgainAt = now + HOUR_MS
    const name = await backUpIfDue({ ...scheduled, signal })
    tryAgainAt = 0
    if (name) onMade(name)
    return name ?? NOTHING_TO_DO
  })
  const report = (error: unknown) => (signal.aborted ? undefined : onError(error))
  const stop = repeatWork({ database, milliseconds, atOnce: true, work, onError: report })
  return () => {
    stopping.abort()
    return stop()
  }
}

/**
 * Makes a backup if it is due and no other process makes one, and deletes expired backups. Returns the name of the backup.
 */
export async function backUpIfDue(scheduled: Scheduled): Promise<string | undefined> {
  const { database, clock, backup, destination, ...rest } = scheduled
  const { schedule } = backup
  const school = await installationId(database)
  const isDue = async () =>
    schedule && isLate(schedule, await lastBackupAt(destination, clock.now(), school), clock.now())
  if (!schedule || !(await isDue())) return undefined
  return database.inBulk(async (connection) => {
    if (!(await tryAdvisoryLock(connection.kysely, BACKUP_LOCK)) || !(await isDue())) return undefined
    const closing = await findPassphrase(backup)
    const name = scheduledName(clock.now(), school)
    await destination.write({ ...rest, connection, closing, now: clock.now(), progress: () => {} }, name, school)
    const keep = { ...schedule.keep, school }
    for (const expired of expiredNames(await destination.names(), keep, clock.now())) await destination.remove(expired)
    return name
  })
}

/** Returns the id of the installation that scheduled backups are named after. */
export async function installationId({ rows }: Pick<Database, 'rows'>): Promise<string> {
  const [row] = await rows('select id from installation')
  return String(row?.[0])
}

/** Reports whether a backup has been due for a number of hours. */
export const isLate = ({ everyHours }: Schedule, last: Date | undefined, now: Date, hours = 0): boolean =>
  now.getTime() - (last?.getTime() ?? 0) >= (everyHours + hours) * HOUR_MS
