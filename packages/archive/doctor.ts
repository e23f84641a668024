import { mayOthersWrite } from '@campus/engine/base/private-files'
import { shellWord } from '@campus/engine/base/text/shell-word'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { type CheckAnywhere, fault, warning, well } from '@campus/intranet/server/doctor/finding'
import { lastBackupAt, openDestination } from './backup-destinations.ts'
import { findBackupProblem } from './check-backups.ts'
import { installationId, isLate } from './scheduled-backups.ts'

/** A failed backup is retried after an hour, and that of a large school takes long. */
const TOLERANCE_HOURS = 3
const ADVICE = 'The service makes them while it runs; its log says why it could not.'

/** Checks that scheduled backups can be made, and that the last one is recent. Without the database, counts those of any school. */
export const backups: CheckAnywhere = {
  about: 'backups',
  async look({ config, database, now }) {
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
  },
}
