import { mayOthersWrite } from '@campus/engine/base/private-files'
import { shellWord } from '@campus/engine/base/text/shell-word'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Database } from '@campus/engine/database/database'
import { type CheckAnywhere, type Found, fault, warning, well } from '@campus/intranet/server/doctor/finding'
import { lastBackupAt, openDestination } from './backup-destinations.ts'
import { findBackupProblem } from './check-backups.ts'
import { installationId, isLate } from './scheduled-backups.ts'
import { type ArchiveConfig, archiveConfigOf } from './settings.ts'

/** A failed backup is retried after an hour, and that of a large school takes long. */
const TOLERANCE_HOURS = 3
const ADVICE = 'The service makes them while it runs; its log says why it could not.'

type Examined = {
  readonly config: Pick<ArchiveConfig, 'backup' | 's3'>
  readonly database?: Database
  readonly now: Date
}

/** Checks that scheduled backups can be made, and that the last one is recent. Without the database, counts those of any school. */
export async function examineBackups({ config, database, now }: Examined): Promise<readonly Found[]> {
  const { schedule } = config.backup
  if (!schedule)
    return [
      warning(
        'none are made by themselves',
        `CAMPUS_BACKUP_FOLDER has the service make them; one is made by "${typedCommand('backup <file>')}".`,
      ),
    ]
  const { destination } = schedule
  if ('folder' in destination && mayOthersWrite(destination.folder)) {
    return [
      warning(
        `others may write to ${destination.folder}, and so replace or remove what is there`,
        `chmod go-w ${shellWord(destination.folder)}`,
      ),
    ]
  }
  const problem = await findBackupProblem(config)
  if (problem) return [fault(problem.message, 'No backup can be made until then.')]
  const school = database && (await installationId(database))
  const last = await lastBackupAt(await openDestination(schedule, config), now, school)
  if (!last) return [fault('none has been made yet', ADVICE)]
  const said = `the last one was made at ${last.toISOString()}`
  return [isLate(schedule, last, now, TOLERANCE_HOURS) ? fault(said, ADVICE) : well(said)]
}

export const backups: CheckAnywhere = {
  about: 'backups',
  look: ({ config, ...examined }) => examineBackups({ ...examined, config: archiveConfigOf(config) }),
}
