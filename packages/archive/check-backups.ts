import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf, toError } from '@campus/engine/base/caught'
import { print } from '@campus/engine/base/text/printable'
import { BackupProblem, unwritable } from './backup-problem.ts'
import { findPassphrase } from './passphrase.ts'
import type { ArchiveConfig } from './settings.ts'

type Checked = Pick<ArchiveConfig, 'backup' | 's3'>

/**
 * Checks what scheduled backups need before the first one is due: a passphrase that can be read, and a folder or bucket that
 * takes them. Changes nothing. Throws ConfigError, which names the setting. Only warns if a bucket does not answer.
 */
export async function checkBackups(
  config: Checked,
  warn = (text: string) => print(text, process.stderr),
): Promise<void> {
  const problem = await findBackupProblem(config)
  if (problem?.isTemporary) warn(problem.message)
  else if (problem) throw problem
}

/** Returns what would stop a backup now, or undefined. */
export async function findBackupProblem({ backup, s3 }: Checked): Promise<BackupProblem | undefined> {
  const { schedule } = backup
  if (!schedule) return undefined
  try {
    await findPassphrase(backup)
    if ('folder' in schedule.destination) await requireWritable(schedule.destination.folder)
    else if (s3) {
      const { requireBucket } = await import('./bucket-destination.ts')
      await requireBucket(s3, schedule.destination.prefix)
    }
    return undefined
  } catch (error) {
    return error instanceof BackupProblem ? error : new BackupProblem(toError(error).message, { cause: error })
  }
}

/** Checks that the folder can be written to, or can be made if it does not exist. Throws BackupProblem. */
async function requireWritable(folder: string): Promise<void> {
  try {
    const present = await nearestExisting(folder)
    if (!(await stat(present)).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' })
    await access(present, constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unwritable(folder, error)
  }
}

/** Returns the folder, or the first of its parents that exists. */
async function nearestExisting(folder: string): Promise<string> {
  try {
    await stat(folder)
    return folder
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    return nearestExisting(dirname(folder))
  }
}
