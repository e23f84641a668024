import { type Config, ConfigError } from '../base/config.ts'
import { print } from '../base/text/printable.ts'
import { findSecretKey } from '../database/secret-key.ts'
import type { Closing } from '../services/archive/encryption.ts'
import { findPassphrase } from '../services/archive/passphrase.ts'
import { streamArchive, writeArchive } from '../services/archive/write-archive.ts'
import { openStore } from '../services/attachments/open-store.ts'
import { describeFileErrors, rowsOf } from './archive-texts.ts'
import { cacheCode } from './cache-code.ts'
import { requireInstallation, requireTables } from './installation.ts'
import { requireWritable } from './named-files.ts'
import { withDatabase } from './open-database.ts'
import { quietly, withProgressBar } from './progress-bar.ts'

const STDOUT = '-'

type Options = {
  readonly recipients: readonly string[] | undefined
  readonly passphraseFile: string | undefined
  readonly json: boolean
}

/** Writes an archive of the configured installation, and says what is in it. */
export async function backUpInto(file: string, config: Config, options: Options): Promise<void> {
  const isStdout = file === STDOUT
  if (isStdout && process.stdout.isTTY) throw new ConfigError('An archive is nothing to show: name a file.')
  if (!isStdout) await requireWritable(file)
  await requireInstallation(config)
  cacheCode(config)
  const { json } = options
  const closing = await closingOf(config, options)
  const secretKey = await findSecretKey(config)
  const store = await openStore(config)
  const showProgress = json || isStdout ? quietly : withProgressBar
  const manifest = await withDatabase(config, { name: 'backup', mayCreate: false }, async (database) => {
    await requireTables(database, config)
    return showProgress('Backing up', (progress) =>
      database.inBulk((connection) => {
        const source = { connection, store, secretKey, closing, now: new Date(), progress }
        return isStdout ? streamArchive(source, process.stdout) : writeArchive(source, file)
      }),
    )
  })
  const { files } = manifest
  const { missing, damaged } = files
  const rows = rowsOf(manifest)
  const result = { file, encrypted: closing !== undefined, rows, files: files.count, missing, damaged }
  const text = json
    ? result
    : `Backed up ${rows} rows and ${files.count} files.${describeFileErrors(files)} ${needed(closing)}`
  print(text, isStdout ? process.stderr : process.stdout)
}

/** What is missing at a bad time, said at a good one. */
const needed = (closing: Closing | undefined): string => {
  if (closing === undefined)
    return 'It holds the secret key, too, and anybody who reads it can restore it: keep it as you keep passwords.'
  return `To restore it, on this machine or another, ${'recipients' in closing ? 'the identity of a recipient' : 'its passphrase'} is needed: keep that elsewhere.`
}

async function closingOf({ backup }: Config, { recipients, passphraseFile }: Options): Promise<Closing | undefined> {
  if (recipients) return { recipients }
  return findPassphrase(passphraseFile === undefined ? backup : { passphraseFile })
}
