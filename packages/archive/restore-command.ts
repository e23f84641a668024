import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import type { Progress } from '@campus/engine/base/progress'
import { print, printable } from '@campus/engine/base/text/printable'
import { tryAdvisoryLock } from '@campus/engine/database/advisory-lock'
import { isDatabaseFull, reasonOf } from '@campus/engine/database/errors'
import { clearRestoreMarker } from '@campus/engine/database/restore-marker'
import { Staging } from '@campus/engine/http/staging'
import { describeLost, KEY_CHANGED } from '@campus/intranet/cli/lost-secrets-text'
import { requireFile } from '@campus/intranet/cli/named-files'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { cacheCode } from '@campus/intranet/server/cache-code'
import { FIRST_START_LOCK } from '@campus/intranet/server/first-start'
import { withDatabase } from '@campus/intranet/server/open-database'
import { quietly, withProgressBar } from '@campus/intranet/server/progress-bar'
import { openStore } from '@campus/intranet/services/attachments/open-store'
import { findSecretKey, keyIdOf, loadSecretKey, storeSecretKey } from '@campus/intranet/services/sealing/secret-key'
import { describeFileErrors, rowsOf } from './archive-texts.ts'
import type { Opening } from './encryption.ts'
import { ArchiveError } from './format.ts'
import { findPassphrase, lineOf } from './passphrase.ts'
import { checkArchive, restore } from './restore.ts'
import type { SecretsFit } from './secrets.ts'
import type { ArchiveConfig } from './settings.ts'

type Options = {
  readonly identity: string | undefined
  readonly passphraseFile: string | undefined
  readonly json: boolean
}

/** Fills the configured installation from an archive, and reports the contents. */
export async function restoreFrom(
  file: string,
  config: ArchiveConfig,
  options: Options & { readonly isTrial: boolean; readonly withoutSecrets: boolean },
): Promise<void> {
  const { json, isTrial, withoutSecrets } = options
  const restored = await withArchive(file, config, options, 'Restoring', (reading) =>
    withDatabase(config, { name: 'restore', mayCreate: true }, async (database) =>
      restore(file, {
        ...{ ...reading, database, isTrial, withoutSecrets },
        store: await openStore(config),
        staging: new Staging(join(config.files, 'incoming')),
        secretKey: await (withoutSecrets ? loadSecretKey : findSecretKey)(config),
        adoptKey: async (key) => void (await storeSecretKey(config, key)),
        storage: storageOfResources(),
        lock: FIRST_START_LOCK,
        now: new Date(),
      }),
    ),
  )
  const { former, contents, migrations, leftOut, lost, isResealed, unopened } = restored
  const { head, manifest } = contents
  const { created_at, delivery_secrets_left_out: deliveries = 0 } = head
  const { files } = manifest
  const rows = rowsOf(manifest)
  const lines = [
    ...(former ? [`The restore of ${former.file}, begun at ${former.begunAt}, had not ended: began anew.`] : []),
    `Restored ${rows} rows and ${files.count} files, as they were at ${created_at}.${describeFileErrors(files)}`,
    ...(leftOut.length > 0
      ? [`Left out tables and columns that this service does not have: ${leftOut.map(printable).join(', ')}.`]
      : []),
    ...(deliveries > 0 ? [`Passwords and metas of ${deliveries} pending deliveries were not in it.`] : []),
    ...(lost ? describeLost(lost) : []),
    ...(unopened > 0 ? [`${unopened} secrets could not be opened with their own key, and stay unusable.`] : []),
    ...(isResealed || lost ? [KEY_CHANGED] : []),
    ...(isTrial ? ['It is a copy for trials: its webservices are switched off.'] : []),
  ]
  const result = {
    file,
    created_at,
    rows,
    files: files.count,
    migrations,
    left_out: leftOut,
    delivery_secrets_left_out: deliveries,
    lost_secrets: lost ?? null,
    unopened_secrets: unopened,
  }
  print(json ? result : lines.join('\n'))
}

/** Reports whether an archive is complete and undamaged, and changes nothing. */
export async function check(file: string, config: ArchiveConfig, options: Options): Promise<void> {
  const secretKey = await findSecretKey(config)
  const { head, fit } = await withArchive(file, config, options, 'Checking', (reading) =>
    checkArchive(file, SCHOOL_MIGRATIONS, { ...reading, step: 'checked' }, secretKey),
  )
  const { created_at, service, tables, secrets } = head
  const key_id = secrets?.key_id ?? null
  const texts: Readonly<Record<SecretsFit, string>> = {
    none: 'It has no secrets that need a key.',
    own: 'The key of its secrets is here.',
    held: 'It holds the key of its secrets.',
    missing:
      `The key of its secrets${key_id === null ? '' : ` (id ${key_id})`} is not here: ` +
      `${secretKey ? `the key here has the id ${keyIdOf(secretKey)}` : 'there is none'}. To restore it, put the secret.key of ` +
      'the installation that made it into the data folder, or set CAMPUS_SECRET_KEY. If that key is lost, restore it with ' +
      '--without-secrets.',
  }
  const text = `It is whole: made at ${created_at} by version ${service}.\n${texts[fit]}`
  print(options.json ? { file, created_at, service, tables: tables.length, key: fit, key_id } : text)
}

/** Lets servers fill a database after a killed restore. */
export async function giveUp(config: ArchiveConfig, { json }: Options): Promise<void> {
  await withDatabase(config, { name: 'restore', mayCreate: false }, (database) =>
    database.inBulk(async ({ kysely, rows }) => {
      if (!(await tryAdvisoryLock(kysely, FIRST_START_LOCK)))
        throw new ConfigError('A restore or a first start is filling this database. Stop it before you give it up.')
      await clearRestoreMarker(rows)
    }),
  )
  print(json ? { given_up: true } : 'The database is as it was before the restore.')
}

type Reading = { readonly opening: Opening | undefined; readonly progress: Progress }

async function withArchive<T>(
  file: string,
  config: ArchiveConfig,
  options: Options,
  title: string,
  work: (reading: Reading) => Promise<T>,
): Promise<T> {
  cacheCode(config)
  await requireFile(file)
  const opening = await openingOf(config, options)
  try {
    return await (options.json ? quietly : withProgressBar)(title, (progress) => work({ opening, progress }))
  } catch (error) {
    throw explained(file, error)
  }
}

/** Names the file in errors about an archive or a full disk. Returns other errors unchanged. */
export function explained(file: string, error: unknown): unknown {
  const not = `${file} was not restored.`
  if (error instanceof ArchiveError) return new ConfigError(`${not} ${error.message}`, { cause: error })
  if (!isDatabaseFull(error) && codeOf(error) !== 'ENOSPC') return error
  return new ConfigError(`${not} There is no room for it: ${reasonOf(error)}. Make room, and restore it again.`, {
    cause: error,
  })
}

async function openingOf(
  { backup }: ArchiveConfig,
  { passphraseFile, identity }: Options,
): Promise<Opening | undefined> {
  if (identity) return { identity: await lineOf(identity, /^AGE-SECRET-KEY-/, '--identity') }
  return findPassphrase(passphraseFile === undefined ? backup : { passphraseFile })
}
