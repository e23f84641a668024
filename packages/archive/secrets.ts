import type { Rows } from '@campus/engine/database/bulk-connection'
import { compareKey } from '@campus/intranet/services/sealing/check-key'
import { SEALED_PLACES } from '@campus/intranet/services/sealing/sealed-columns'
import { Sealer } from '@campus/intranet/services/sealing/sealer'
import { keyIdOf } from '@campus/intranet/services/sealing/secret-key'
import { ArchiveError, type Head, type SecretsHead } from './format.ts'
import type { Change } from './load-tables.ts'

/**
 * Describes the installation's key, which an archive holds only if `holdsKey`. Throws ArchiveError if it is not the key of
 * this database's secrets, since such an archive could not be used.
 */
export async function describeKey(
  rows: Rows,
  key: Buffer | undefined,
  holdsKey: boolean,
): Promise<SecretsHead | undefined> {
  if ((await compareKey({ rows }, key)) === 'other') throw new ArchiveError(NOT_OUR_KEY)
  return key && { key_id: keyIdOf(key), ...(holdsKey && { key: key.toString('hex') }) }
}

const NOT_OUR_KEY =
  'The secrets of this database are sealed with another key than the one here: run this where the service runs, with its ' +
  'CAMPUS_DATA, or set CAMPUS_SECRET_KEY.'

/**
 * Place of the key for an archive's secrets. `none`: the archive has no secrets. `own`: this installation has the key.
 * `held`: the archive has it. `missing`: neither has it.
 */
export type SecretsFit = 'none' | 'own' | 'held' | 'missing'

export function fitOf({ secrets }: Pick<Head, 'secrets'>, own: Buffer | undefined, sealed: number): SecretsFit {
  if (own && keyIdOf(own) === secrets?.key_id) return 'own'
  if (secrets?.key !== undefined) return 'held'
  return sealed === 0 ? 'none' : 'missing'
}

/** Counts the sealed texts of an archive while it is read. */
export class SealedCount {
  count = 0
  readonly #columns = new Map<string, readonly string[]>()

  head({ tables }: Pick<Head, 'tables'>): void {
    for (const { name, columns } of tables)
      this.#columns.set(
        name,
        columns.map((column) => column.name),
      )
  }

  /** Returns a function that counts the sealed texts in a row of the table, or undefined if none of its columns is sealed. */
  counterOf(table: string): Change | undefined {
    const columns = this.#columns.get(table) ?? []
    const places = SEALED_PLACES.filter((place) => place.table === table).map(({ column }) => columns.indexOf(column))
    if (places.length === 0) return undefined
    return (row) => {
      this.count += places.filter((at) => row[at] != null).length
    }
  }
}

export type Resealing = {
  /** Whether the secrets are sealed with another key than before. */
  readonly isNeeded: boolean
  /** To be stored as the key of an installation that has none. */
  readonly adopted: Buffer | undefined
  /** Returns the number of texts that their own key could not open. They stay as they are. */
  readonly unopened: () => number
  /** Returns a function that seals a row of the table with the key of this installation, or undefined if rows stay as they are. */
  changeOf(table: string, columns: readonly string[]): Change | undefined
}

/**
 * Seals the secrets of an archive again with the key `own` of this installation, if it is another key. An installation without a key
 * adopts the key of the archive.
 */
export function resealing(secrets: SecretsHead | undefined, own: Buffer | undefined): Resealing {
  const former = secrets?.key === undefined ? undefined : Buffer.from(secrets.key, 'hex')
  const isSame = own !== undefined && keyIdOf(own) === secrets?.key_id
  let unopened = 0
  const adopted = own ? undefined : former
  const common = { isNeeded: own !== undefined && !isSame, adopted, unopened: () => unopened }
  if (isSame || !former || !own) return { ...common, changeOf: () => undefined }
  const opener = new Sealer(former)
  const sealer = new Sealer(own)
  const open = (sealed: string) => {
    try {
      return opener.open(sealed)
    } catch {
      unopened += 1
      return undefined
    }
  }
  return {
    ...common,
    changeOf(table, columns) {
      const places = SEALED_PLACES.filter((place) => place.table === table)
      if (places.length === 0) return undefined
      return (row) => {
        for (const { name, column, digest } of places) {
          const at = columns.indexOf(column)
          const plain = row[at] == null ? undefined : open(row[at])
          if (plain === undefined) continue
          row[at] = sealer.seal(name, plain)
          if (digest) row[columns.indexOf(digest)] = sealer.digest(plain)
        }
      }
    },
  }
}

export const NEEDS_KEY =
  'Its secrets are sealed with the key of the installation that made it: put the secret.key of that installation into the ' +
  'data folder, or set CAMPUS_SECRET_KEY. An encrypted archive holds the key, unless it was made --without-key. If the key ' +
  'is lost, --without-secrets restores everything else, and prints what must be set again.'
