import { codeOf, toError } from '../../base/caught.ts'
import { ConfigError } from '../../base/config.ts'

/** What stops backups. `isTemporary` if it may pass by itself. */
export class BackupProblem extends ConfigError {
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isTemporary = isTemporary
  }
}

/** Explains why a folder takes no backup. */
export const unwritable = (folder: string, error: unknown): BackupProblem =>
  new BackupProblem(
    `CAMPUS_BACKUP_FOLDER must be a folder that this user may write to; ${folder} is not (${codeOf(error) ?? toError(error).message}).`,
    { cause: error },
  )
