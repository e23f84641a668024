import { keyIdOf } from '@campus/intranet/services/sealing/secret-key'
import * as v from 'valibot'

/** Version of the format (docs/archive.md). */
export const FORMAT = 1

/** The first entry describes the contents, the last entry has their sums. */
export const HEAD = 'campus.json'
export const MANIFEST = 'manifest.json'
const FILES = 'files/'
const TABLES = 'tables/'

// An archive may be forged. Its names become parts of statements and its texts are shown, so each is checked.

/** An identifier of PostgreSQL, which may need quotes. */
const name = v.pipe(
  v.string(),
  v.check((text) => isIdentifier(text)),
)

const MAX_IDENTIFIER_BYTES = 63
const isIdentifier = (text: string) =>
  text !== '' && !text.includes('\0') && Buffer.byteLength(text) <= MAX_IDENTIFIER_BYTES

/** The name of a sequence is written as in a statement, in quotes if it needs them. */
const QUOTED = /^"((?:[^"]|"")+)"$/
const isSequenceName = (text: string) =>
  /^[a-z_][a-z0-9_$]*$/.test(text) ? isIdentifier(text) : isIdentifier(unquoted(text))
const unquoted = (text: string) => QUOTED.exec(text)?.[1]?.replaceAll('""', '"') ?? ''

const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const hex = (digits: number) => v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${digits}}$`)))
const digests = v.array(hex(64))

/** A table with its columns in the order of the values. */
const table = v.object({
  name,
  columns: v.pipe(v.array(v.object({ name, type: v.string() })), v.minLength(1)),
})

/** The id of the key that sealed the secrets. Only an encrypted archive contains the `key`. */
const secrets = v.pipe(
  v.object({ key_id: hex(16), key: v.optional(hex(64)) }),
  v.check(({ key_id, key }) => key === undefined || keyIdOf(Buffer.from(key, 'hex')) === key_id),
)

const head = v.object({
  format: count,
  /** Version of the service. */
  service: v.pipe(v.string(), v.regex(/^[\w.+-]{1,64}$/)),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
  /** Migrations that the database had run, in order. They determine its tables. */
  migrations: v.array(v.pipe(v.string(), v.regex(/^\w{1,63}$/))),
  tables: v.array(table),
  /** The last value of each sequence, and whether it was used. */
  sequences: v.record(
    v.pipe(v.string(), v.check(isSequenceName)),
    v.tuple([v.pipe(v.string(), v.regex(/^-?\d{1,19}$/)), v.boolean()]),
  ),
  /** Undefined if the installation had no key and so no secrets. */
  secrets: v.optional(secrets),
  /** Number of pending deliveries whose password and meta are left out, since they are sealed with a key of a process. */
  delivery_secrets_left_out: v.optional(count),
})

const sums = v.object({ rows: count, bytes: count, sha256: hex(64) })

const manifest = v.object({
  tables: v.record(name, sums),
  /** `missing` and `damaged` are digests of files in the storage. */
  files: v.object({ count, bytes: count, missing: digests, damaged: digests }),
})

type Unchanged<T> = { readonly [Name in keyof T]: Unchanged<T[Name]> }

export type ArchivedTable = Unchanged<v.InferOutput<typeof table>>
export type SecretsHead = Unchanged<v.InferOutput<typeof secrets>>
export type Head = Unchanged<v.InferOutput<typeof head>>
export type Sums = Unchanged<v.InferOutput<typeof sums>>
export type Manifest = Unchanged<v.InferOutput<typeof manifest>>

export const isHead = (value: unknown): value is Head => v.is(head, value)
export const isManifest = (value: unknown): value is Manifest => v.is(manifest, value)

/** Names of tables that may be parts of entry names. Other tables are named by their index in the head. */
const PLAIN = /^\w{1,63}$/

/** Returns the name of a part of a table, which has whole lines and a known size. */
export const partName = ({ name, index }: { readonly name: string; readonly index: number }, part: number): string =>
  `${TABLES}${PLAIN.test(name) ? name : `~${index}`}/${String(part).padStart(6, '0')}.ndjson`

export const fileName = (digest: string): string => `${FILES}${digest}`

export type EntryKind =
  | { readonly kind: 'head' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'file'; readonly digest: string }

export function kindOf(name: string, head: Head | undefined): EntryKind | undefined {
  if (name === HEAD) return { kind: 'head' }
  if (name === MANIFEST) return { kind: 'manifest' }
  const [, index, plain] = /^tables\/(?:~(\d+)|(\w+))\/\d{6,}\.ndjson$/.exec(name) ?? []
  const table = index === undefined ? plain : head?.tables[Number(index)]?.name
  if (table) return { kind: 'table', table }
  const [, digest] = /^files\/([0-9a-f]{64})$/.exec(name) ?? []
  return digest ? { kind: 'file', digest } : undefined
}

/** Error for an archive that cannot be used or a database that it cannot be restored into. */
export class ArchiveError extends Error {}
