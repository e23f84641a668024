import { access, constants, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'

/** Checks a file that a command reads, before the command opens a database. Throws ConfigError. */
export async function requireFile(file: string): Promise<void> {
  const found = await findStats(file)
  if (found?.isDirectory()) throw new ConfigError(`${file} is a folder, not a file.`)
  if (!found?.isFile()) throw new ConfigError(`There is no file ${file}.`)
  if (!(await isAllowed(file, constants.R_OK)))
    throw new ConfigError(
      `${account()} may not read ${file}. Let it read the file, or run the command as another account.`,
    )
}

/** Checks that a command can make a file, before the command writes all of it. Throws ConfigError. */
export async function requireWritable(file: string): Promise<void> {
  const [found, folder] = await Promise.all([file, dirname(file)].map(findStats))
  if (found?.isDirectory()) throw new ConfigError(`${file} is a folder: name a file in it.`)
  if (!folder?.isDirectory()) throw new ConfigError(`There is no folder ${dirname(file)}.`)
  if (!(await isAllowed(dirname(file), constants.W_OK)))
    throw new ConfigError(
      `${account()} may not write to the folder ${dirname(file)}. Name a file in another folder, or - for the standard output.`,
    )
}

/** Returns the status of a path, or undefined if it does not exist. Throws ConfigError if a folder may not be entered. */
async function findStats(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (codeOf(error) !== 'EACCES') return undefined
    throw new ConfigError(
      `${account()} may not enter a folder of ${path}. Let it enter the folder, or name another path.`,
    )
  }
}

const isAllowed = (path: string, mode: number): Promise<boolean> =>
  access(path, mode).then(
    () => true,
    () => false,
  )

/** Names the account of this process at the start of a sentence. */
function account(): string {
  try {
    return `The account ${userInfo().username}`
  } catch {
    // In a container, the user id of the process may have no account.
    return `The user ${process.getuid?.()}`
  }
}
