import { readFile } from 'node:fs/promises'
import { ConfigError } from '@campus/engine/base/config-error'
import type { BackupConfig } from './settings.ts'

/** Returns the configured passphrase, from its setting or its file, if any. Throws ConfigError. */
export async function findPassphrase({
  passphrase,
  passphraseFile,
}: Partial<BackupConfig>): Promise<{ readonly passphrase: string } | undefined> {
  const found = passphraseFile === undefined ? passphrase : await lineOf(passphraseFile, /./, PASSPHRASE_FILE)
  return found === undefined ? undefined : { passphrase: found }
}

/** Names of the setting and of the option that give the path of the passphrase file. */
const PASSPHRASE_FILE = 'CAMPUS_BACKUP_PASSPHRASE_FILE (--passphrase-file)'

/** Returns the first line of a file that matches `shape`. `setting` names the setting or option of the path. Throws ConfigError. */
export async function lineOf(path: string, shape: RegExp, setting: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new ConfigError(`${setting} must be a file that can be read; ${path} is not (${message}).`)
  })
  const line = text.split(/\r?\n/).find((one) => shape.test(one))
  if (!line) throw new ConfigError(`${setting} must be a file with a passphrase or a key; ${path} has none.`)
  return line
}
