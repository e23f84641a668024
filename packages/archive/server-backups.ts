import type { Clock } from '@campus/engine/base/clock'
import type { Jobs } from '@campus/engine/base/metrics/jobs'
import { once } from '@campus/engine/base/once'
import type { Database } from '@campus/engine/database/database'
import type { FileStore } from '@campus/intranet/services/attachments/file-store'
import { sharedSealingOf } from '@campus/intranet/webhooks/sealing'
import { backupMetrics } from './backup-metrics.ts'
import type { ArchiveConfig, BackupConfig } from './settings.ts'

type Log = {
  info(about: object, message: string): void
  error(about: object, message: string): void
}

type Owner = {
  readonly schedule: NonNullable<BackupConfig['schedule']>
  readonly config: ArchiveConfig
  readonly database: Database
  readonly store: FileStore
  readonly clock: Clock
  readonly secretKey: Buffer
  /** Reports whether this process makes backups now. */
  readonly isRunning: () => boolean
  readonly jobs: Jobs
  readonly log: Log
}

/** Makes scheduled backups. Only the process that makes them loads what they need. */
export function serverBackups({ config, schedule, isRunning, jobs, log, ...rest }: Owner) {
  const { backup } = config
  const sharedSealing = sharedSealingOf(config)
  const counts = { made: 0, failed: 0 }
  const destinations = () => import('./backup-destinations.ts')
  const openDestination = once(async () => (await destinations()).openDestination(schedule, config))
  const findNow = async () => {
    const { installationId } = await import('./scheduled-backups.ts')
    const { lastBackupAt } = await destinations()
    return lastBackupAt(await openDestination(), rest.clock.now(), await installationId(rest.database))
  }
  let last: Date | undefined
  /** Finds the last backup. While the database or the destination fails, returns the last one that was found before. */
  const findLast = async () => {
    last = await findNow().catch(() => last)
    return last
  }
  return {
    collect: () => backupMetrics(counts, schedule, isRunning() ? findLast : undefined),
    /** Makes backups until the returned function is called. */
    async begin(): Promise<() => Promise<void>> {
      const { backUpOnSchedule } = await import('./scheduled-backups.ts')
      return backUpOnSchedule(
        { ...rest, backup, jobs, sharedSealing, destination: await openDestination() },
        {
          onMade(name) {
            counts.made += 1
            log.info({ backup: name }, 'a backup was made')
          },
          onError(error) {
            counts.failed += 1
            log.error({ err: error }, 'a backup could not be made')
          },
        },
      )
    },
  }
}
