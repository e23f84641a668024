import { ConfigError } from '@campus/engine/base/config-error'
import { print } from '@campus/engine/base/text/printable'
import { requireWritable } from '@campus/intranet/cli/named-files'
import { cacheCode } from '@campus/intranet/server/cache-code'
import { requireInstallation, requireTables } from '@campus/intranet/server/installation'
import { withDatabase } from '@campus/intranet/server/open-database'
import { quietly, withProgressBar } from '@campus/intranet/server/progress-bar'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { findSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { sharedSealingOf } from '@campus/intranet/webhooks/sealing'
import { describeFileErrors, rowsOf } from './archive-texts.ts'
import type { Closing } from './encryption.ts'
import type { Head } from './format.ts'
import { findPassphrase } from './passphrase.ts'
import type { ArchiveConfig } from './settings.ts'
import { streamArchive, writeArchive } from './write-archive.ts'

const STDOUT = '-'

type Options = {
  readonly recipients: readonly string[] | undefined
  readonly passphraseFile: string | undefined
  readonly withoutKey: boolean
  readonly json: boolean
}

/** Writes an archive of the configured installation, and reports its contents. */
export async function backUpInto(file: string, config: ArchiveConfig, options: Options): Promise<void> {
  const isStdout = file === STDOUT
  if (isStdout && process.stdout.isTTY) throw new ConfigError('An archive is nothing to show: name a file.')
  if (!isStdout) await requireWritable(file)
  await requireInstallation(config)
  cacheCode(config)
  const { json, withoutKey } = options
  const closing = await closingOf(config, options)
  const secretKey = await findSecretKey(config)
  const store = await openStore(config)
  const showProgress = json || isStdout ? quietly : withProgressBar
  const { head, manifest } = await withDatabase(config, { name: 'backup', mayCreate: false }, async (database) => {
    await requireTables(database, config)
    return showProgress('Backing up', (progress) =>
      database.inBulk((connection) => {
        const sharedSealing = sharedSealingOf(config)
        const source = { connection, store, secretKey, closing, withoutKey, sharedSealing, now: new Date(), progress }
        return isStdout ? streamArchive(source, process.stdout) : writeArchive(source, file)
      }),
    )
  })
  const { files } = manifest
  const rows = rowsOf(manifest)
  const { secrets, delivery_secrets_left_out: leftOut = 0 } = head
  const result = {
    file,
    encrypted: closing !== undefined,
    rows,
    files: files.count,
    missing: files.missing,
    damaged: files.damaged,
    holds_key: secrets?.key !== undefined,
    key_id: secrets?.key_id ?? null,
    delivery_secrets_left_out: leftOut,
  }
  const text = json
    ? result
    : `Backed up ${rows} rows and ${files.count} files.${describeFileErrors(files)}${describeLeftOut(leftOut)} ${describeNeeded(closing, head)}`
  print(text, isStdout ? process.stderr : process.stdout)
}

const describeLeftOut = (deliveries: number): string =>
  deliveries === 0
    ? ''
    : ` Passwords and metas of ${deliveries} pending deliveries are not in it: only the running service can open them.`

/** Names what a restore will need, while it can still be stored elsewhere. */
function describeNeeded(closing: Closing | undefined, { secrets }: Head): string {
  const key =
    secrets && secrets.key === undefined
      ? `It does not hold the secret key (id ${secrets.key_id}), which a restore needs: keep a copy of secret.key, or of CAMPUS_SECRET_KEY, apart from it.`
      : ''
  if (closing === undefined)
    return `Anybody who has the file can read it: keep it as you keep passwords.${key && ` ${key}`}`
  const opener = 'recipients' in closing ? 'the identity of a recipient' : 'its passphrase'
  return `To restore it, on this machine or another, ${opener} is needed: keep that elsewhere. ${key || 'It holds the secret key.'}`
}

async function closingOf(
  { backup }: ArchiveConfig,
  { recipients, passphraseFile }: Options,
): Promise<Closing | undefined> {
  if (recipients) return { recipients }
  return findPassphrase(passphraseFile === undefined ? backup : { passphraseFile })
}
