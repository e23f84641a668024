import { readFile } from 'node:fs/promises'
import { type BackupConfig, ConfigError } from '../../base/config.ts'

/** The passphrase that is configured, itself or by the file that holds it; undefined where none is. Throws ConfigError. */
export async function findPassphrase({
  passphrase,
  passphraseFile,
}: Partial<BackupConfig>): Promise<{ readonly passphrase: string } | undefined> {
  const found = passphraseFile === undefined ? passphrase : await lineOf(passphraseFile, /./)
  return found === undefined ? undefined : { passphrase: found }
}

/** The first line of a file that looks so. Throws ConfigError. */
export async function lineOf(path: string, shape: RegExp): Promise<string> {
  const text = await readFile(path, 'utf8').catch(({ message }: Error) => {
    throw new ConfigError(`${path} must be a file that can be read: ${message}.`)
  })
  const line = text.split(/\r?\n/).find((one) => shape.test(one))
  if (!line) throw new ConfigError(`${path} must hold a passphrase or a key; it does not.`)
  return line
}
