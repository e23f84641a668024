import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import { makeFolder } from '@campus/engine/base/private-files'
import type { Config } from '@campus/intranet/settings/config'
import type { BackupDestination } from './backup-destination.ts'
import { unwritable } from './backup-problem.ts'
import { isOfSchool, pastNames, timeOfName } from './retention.ts'
import type { BackupConfig } from './settings.ts'

type Schedule = NonNullable<BackupConfig['schedule']>

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
    async write(source, name, school) {
      await makeFolder(folder).catch((error) => {
        throw unwritable(folder, error)
      })
      // The doctor, which only reads names, does not load it.
      const { writeArchive } = await import('./write-archive.ts')
      // No other process of the school makes a backup, so partial archives are of processes that were killed. This backup may
      // need their space.
      for (const part of (await namesIn()).filter((one) => isPart(one, school)))
        await rm(join(folder, part), { force: true })
      await writeArchive(source, join(folder, name)).catch((error) => {
        throw isRefusal(error) ? unwritable(folder, error) : error
      })
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  }
}

const isPart = (name: string, school: string) =>
  name.endsWith('.part') && isOfSchool(name.slice(0, -'.part'.length), school)

const isRefusal = (error: unknown) => ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR'].includes(String(codeOf(error)))

/**
 * Returns when the last backup of the school began, or undefined if there is none. Counts backups of all schools if `school` is
 * undefined. Ignores backups named after a future time.
 */
export async function lastBackupAt(
  destination: BackupDestination,
  now: Date,
  school: string | undefined,
): Promise<Date | undefined> {
  const names = (await destination.names()).filter((name) => school === undefined || isOfSchool(name, school))
  const times = pastNames(names, now).flatMap((name) => timeOfName(name)?.getTime() ?? [])
  return times.length === 0 ? undefined : new Date(Math.max(...times))
}
