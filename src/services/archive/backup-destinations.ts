import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BackupConfig, type Config, ConfigError } from '../../base/config.ts'
import { makeFolder } from '../../base/private-files.ts'
import type { BackupDestination } from './backup-destination.ts'
import { pastNames, timeOfName } from './retention.ts'

type Schedule = NonNullable<BackupConfig['schedule']>

/** The place that the schedule names. */
export async function openDestination(
  { destination }: Schedule,
  { s3 }: Pick<Config, 's3'>,
): Promise<BackupDestination> {
  if ('folder' in destination) return folderDestination(destination.folder)
  if (!s3) throw new ConfigError('CAMPUS_S3_BUCKET must name a bucket, since backups go there.')
  const { bucketDestination } = await import('./bucket-destination.ts')
  return bucketDestination(s3, destination.prefix)
}

function folderDestination(folder: string): BackupDestination {
  const namesIn = () =>
    readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
  return {
    names: namesIn,
    async write(source, name) {
      await makeFolder(folder)
      // The doctor, which only reads names, does not load it.
      const { writeArchive } = await import('./write-archive.ts')
      await writeArchive(source, join(folder, name))
      // No other process makes a backup, so what is left of one is of a process that was killed.
      for (const part of (await namesIn()).filter(isPart)) await rm(join(folder, part), { force: true })
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

const isPart = (name: string) => name.endsWith('.part') && timeOfName(name.slice(0, -'.part'.length)) !== undefined

/** Returns when the last backup began, or undefined if there is none. Ignores backups named after a future time. */
export async function lastBackupAt(destination: BackupDestination, now: Date): Promise<Date | undefined> {
  const times = pastNames(await destination.names(), now).flatMap((name) => timeOfName(name)?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}
