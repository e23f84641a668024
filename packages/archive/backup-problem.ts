import { codeOf, toError } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'

/** Error for something that stops backups. `isTemporary` means that it may pass by itself. */
export class BackupProblem extends ConfigError {
  readonly isTemporary: boolean

  constructor(message: string, { isTemporary = false, cause }: { isTemporary?: boolean; cause?: unknown } = {}) {
    super(message, { cause })
    this.isTemporary = isTemporary
  }
}

/** Returns the error for a folder that cannot be written to. */
export const unwritable = (folder: string, error: unknown): BackupProblem =>
  new BackupProblem(
    `CAMPUS_BACKUP_FOLDER must be a folder that this user may write to; ${folder} is not (${codeOf(error) ?? toError(error).message}).`,
    { cause: error },
  )
