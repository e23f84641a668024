import { codeOf } from '@campus/engine/base/caught'
import { ConfigError } from '@campus/engine/base/config-error'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Handle } from '@campus/engine/database/handle'
import { identifier } from '@campus/engine/database/literal'
import { SEALED_PLACES } from './sealed-columns.ts'
import { Sealer } from './sealer.ts'
import { findSecretKey, type KeyConfig, keyIdOf, loadSecretKey } from './secret-key.ts'

type Rows = Pick<Handle, 'rows'>

/** `unused` means that the database has no key yet. */
export type KeyFit = 'fits' | 'other' | 'unused'

/** Compares the key with that of the database, also of a former release. Must not run in a transaction. */
export async function compareKey(handle: Rows, key: Buffer | undefined): Promise<KeyFit> {
  const known = await findKeyId(handle)
  if (known !== undefined) return key && keyIdOf(key) === known ? 'fits' : 'other'
  const samples = await sampleSecrets(handle)
  if (samples.length === 0) return 'unused'
  // Releases up to 0.2 left some secrets under another key after a restore: one that opens proves the key.
  return key && samples.some((sealed) => opens(key, sealed)) ? 'fits' : 'other'
}

/**
 * Throws ConfigError if the database has another key than the configured one. Returns the key if the database has recorded its
 * id.
 */
export async function refuseOtherKey(handle: Rows, config: KeyConfig): Promise<Buffer | undefined> {
  const key = await findSecretKey(config)
  const known = await findKeyId(handle)
  if (key && keyIdOf(key) === known) return key
  if ((await compareKey(handle, key)) === 'other') throw new ConfigError(await describeOtherKey(handle, config, key))
  return undefined
}

/** Loads or makes the key, and records its id in the database. Throws ConfigError. */
export async function claimSecretKey(handle: Rows, config: KeyConfig): Promise<Buffer> {
  const claimed = await refuseOtherKey(handle, config)
  if (claimed) return claimed
  const key = await loadSecretKey(config)
  await handle.rows('update installation set key_id = $1 where key_id is null', [keyIdOf(key)])
  // Another machine may have recorded its key meanwhile.
  await refuseOtherKey(handle, config)
  return key
}

/** Explains which key is needed, which is here, and what to do. */
export async function describeOtherKey(handle: Rows, { data }: KeyConfig, key: Buffer | undefined): Promise<string> {
  const known = await findKeyId(handle)
  const here = key ? `the key here has the id ${keyIdOf(key)}` : 'there is no key here'
  return (
    'CAMPUS_SECRET_KEY, or the file secret.key in CAMPUS_DATA, must be the key that the secrets of this database are ' +
    `sealed with${known === undefined ? '' : ` (its id is ${known})`}; ${here}. Put the former secret.key into ${data}, or ` +
    `set CAMPUS_SECRET_KEY to it. If it is lost, "${typedCommand('secret-key reset')}" prints what it sealed, and deletes it.`
  )
}

/** Must not run in a transaction: the statement fails in a database that was not migrated yet. */
async function findKeyId({ rows }: Rows): Promise<string | undefined> {
  try {
    const [row] = await rows('select key_id from installation')
    return row?.[0] == null ? undefined : String(row[0])
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return undefined
    throw error
  }
}

const UNDEFINED_TABLE = '42P01'
/** Maximum length of a sample. Opening one takes microseconds, but an uploaded table may have megabytes. */
const SAMPLES = 10_000
const SHORT_BYTES = 4_096

/** A database that was not migrated yet has fewer tables. */
export async function hasTable({ rows }: Rows, table: string): Promise<boolean> {
  const [found] = await rows("select to_regclass('public.' || quote_ident($1::text))", [table])
  return found?.[0] != null
}

/** Returns many sealed texts of each column, since a former release left some under another key after a restore. */
async function sampleSecrets({ rows }: Rows): Promise<readonly string[]> {
  const samples: string[] = []
  for (const { table, column } of SEALED_PLACES) {
    const [found] = await rows(
      "select from information_schema.columns where table_schema = 'public' and table_name = $1 and column_name = $2",
      [table, column],
    )
    if (!found) continue
    const name = identifier(column)
    const sealed = `select ${name} from ${identifier(table)} where`
    const some = await rows(
      `(${sealed} ${name} is not null limit 3) union all (${sealed} octet_length(${name}) <= ${SHORT_BYTES} limit ${SAMPLES})`,
    )
    samples.push(...some.map(([sealed]) => String(sealed)))
  }
  return samples
}

function opens(key: Buffer, sealed: string): boolean {
  try {
    new Sealer(key).open(sealed)
    return true
  } catch {
    return false
  }
}
