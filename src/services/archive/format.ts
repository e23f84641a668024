/** Of what is written in an archive, and how (docs/archive.md). Another number is another format. */
export const FORMAT = 1

/** The first entry of an archive says what is in it, the last one how much of it there is. */
export const HEAD = 'campus.json'
export const MANIFEST = 'manifest.json'
const FILES = 'files/'
const TABLES = 'tables/'

/** A table with the columns whose values its lines hold, in their order. */
export type ArchivedTable = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

export type Head = {
  readonly format: number
  /** Of the service that made it. */
  readonly service: string
  readonly created_at: string
  /** Those that the database had seen, in their order: they say what its tables look like. */
  readonly migrations: readonly string[]
  readonly tables: readonly ArchivedTable[]
  /** The last value of each sequence, and whether it has been given out. */
  readonly sequences: Readonly<Record<string, readonly [value: string, isUsed: boolean]>>
  /** Undefined where the installation had no key yet, and so no secrets. */
  readonly secrets?: SecretsHead | undefined
}

/** Which key sealed the secrets; `key` is that key itself, in an encrypted archive only. */
export type SecretsHead = { readonly key_id: string; readonly key?: string }

export type Sums = { readonly rows: number; readonly bytes: number; readonly sha256: string }

export type Manifest = {
  readonly tables: Readonly<Record<string, Sums>>
  /** `missing` and `damaged` are the digests of those that the storage did not have, or not as they were stored. */
  readonly files: {
    readonly count: number
    readonly bytes: number
    readonly missing: readonly string[]
    readonly damaged: readonly string[]
  }
}

/** A table comes in parts, so that each is whole lines of a known size. */
export const partName = (table: string, part: number): string =>
  `${TABLES}${table}/${String(part).padStart(6, '0')}.ndjson`

export const fileName = (digest: string): string => `${FILES}${digest}`

/** What an entry is, by its name. */
export type EntryKind =
  | { readonly kind: 'head' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'file'; readonly digest: string }

export function kindOf(name: string): EntryKind | undefined {
  if (name === HEAD) return { kind: 'head' }
  if (name === MANIFEST) return { kind: 'manifest' }
  const [, table] = /^tables\/(\w+)\/\d{6,}\.ndjson$/.exec(name) ?? []
  if (table) return { kind: 'table', table }
  const [, digest] = /^files\/([0-9a-f]{64})$/.exec(name) ?? []
  return digest ? { kind: 'file', digest } : undefined
}

/** An archive that cannot be used, or a database that it cannot go into; the message says why, and what would be right. */
export class ArchiveError extends Error {}
