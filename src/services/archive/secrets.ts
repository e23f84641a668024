import { Sealer } from '../../base/sealer.ts'
import type { Rows } from '../../database/bulk-connection.ts'
import { ArchiveError, type SecretsHead } from './format.ts'
import type { Change } from './load-tables.ts'

/** What an installation's key seals: the column, and the one that holds its keyed digest, if any. By table. */
export const SEALED: Readonly<Record<string, { readonly column: string; readonly digest?: string }>> = {
  endpoints: { column: 'secret', digest: 'secret_digest' },
  second_factors: { column: 'sealed_secret' },
  signing_keys: { column: 'sealed_key' },
}

/** Tables of digests under that key, which soon end by themselves; under another key they mean nothing. */
export const KEYED_FOR_A_WHILE: readonly string[] = ['attempts', 'idempotency_keys']

/** An identifier of the key, from which the key cannot be derived. */
const idOf = (key: Buffer) => new Sealer(key).keyedHash('archive').digest('hex').slice(0, 16)

/**
 * Describes the installation's key, which only an encrypted archive may hold. Throws ArchiveError where it is not the
 * key of this database's secrets, since such an archive could not be used.
 */
export async function describeKey(
  rows: Rows,
  key: Buffer | undefined,
  isEncrypted: boolean,
): Promise<SecretsHead | undefined> {
  for (const [table, { column }] of Object.entries(SEALED)) {
    // A database that was not migrated yet has fewer tables.
    const [there] = await rows('select to_regclass($1)', [table])
    if (there?.[0] == null) continue
    const [row] = await rows(`select ${column} from ${table} where ${column} is not null limit 1`)
    if (row?.[0] && !(key && opens(key, row[0]))) throw new ArchiveError(NOT_OUR_KEY)
  }
  return key && { key_id: idOf(key), ...(isEncrypted && { key: key.toString('hex') }) }
}

function opens(key: Buffer, sealed: string): boolean {
  try {
    new Sealer(key).open(sealed)
    return true
  } catch {
    return false
  }
}

const NOT_OUR_KEY =
  'The secrets of this database are sealed with another key than the one here: run this where the service runs, with its ' +
  'CAMPUS_DATA, or set CAMPUS_SECRET_KEY.'

export type Resealing = {
  /** Whether the secrets are sealed with another key than before. */
  readonly isNeeded: boolean
  /** To be stored as the key of an installation that has none. */
  readonly adopted: Buffer | undefined
  /**
   * What changes a row of the table for the key of this installation; undefined where rows stay as they are. Throws ArchiveError
   * where what is sealed in one cannot be opened.
   */
  changeOf(table: string, columns: readonly string[]): Change | undefined
}

/**
 * How secrets come from the key that an archive was made under to this installation's `own`: with the same key they stay as
 * they are, an installation without one adopts that of the archive, and all else is sealed again.
 */
export function resealing(secrets: SecretsHead | undefined, own: Buffer | undefined): Resealing {
  const former = secrets?.key === undefined ? undefined : Buffer.from(secrets.key, 'hex')
  const isSame = own !== undefined && idOf(own) === secrets?.key_id
  const isNeeded = own !== undefined && !isSame
  if (isSame || (former && !own)) return { isNeeded, adopted: own ? undefined : former, changeOf: () => undefined }
  const [opener, sealer] = [former && new Sealer(former), own && new Sealer(own)]
  return {
    isNeeded,
    adopted: undefined,
    changeOf(table, columns) {
      const sealed = SEALED[table]
      if (!sealed) return undefined
      const [at, digestAt] = [columns.indexOf(sealed.column), columns.indexOf(sealed.digest ?? '')]
      return (row) => {
        const text = row[at]
        if (text === null || text === undefined) return
        if (!opener || !sealer) throw new ArchiveError(NEEDS_KEY)
        const plain = opener.open(text)
        row[at] = sealer.seal(plain)
        if (sealed.digest) row[digestAt] = sealer.digest(plain)
      }
    },
  }
}

const NEEDS_KEY =
  'Its secrets are sealed with the key of the installation that it was made by: put the secret.key of that one into the ' +
  'data folder, or set CAMPUS_SECRET_KEY. An encrypted archive holds the key.'
