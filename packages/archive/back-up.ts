import { createHash } from 'node:crypto'
import type { Progress } from '@campus/engine/base/progress'
import { serviceVersion } from '@campus/engine/base/service'
import type { BulkConnection } from '@campus/engine/database/bulk-connection'
import { identifier } from '@campus/engine/database/literal'
import type { FileStore } from '@campus/intranet/services/attachments/file-store'
import { type ArchivedFile, FILES_TABLE, listFiles, neededFiles } from './archived-files.ts'
import { type FoundTable, findMigrations, findSequences, findTables } from './contents.ts'
import { jsonLines } from './copy-text.ts'
import { archivedValues, countLeftOut, DELIVERIES } from './delivery-secrets.ts'
import {
  ArchiveError,
  FORMAT,
  fileName,
  HEAD,
  type Head,
  MANIFEST,
  type Manifest,
  partName,
  type SecretsHead,
  type Sums,
} from './format.ts'
import { countLines, mebibytes, wholeLines } from './lines.ts'
import type { Contents } from './read-archive.ts'
import { describeKey } from './secrets.ts'
import { TAR_END, tarHeader, tarPadding } from './tar.ts'

export type Source = {
  /** A connection without a transaction. */
  readonly connection: BulkConnection
  readonly store: FileStore
  /** The key of the installation, if it has one yet. */
  readonly secretKey: Buffer | undefined
  /** Whether the archive contains the key. */
  readonly holdsKey: boolean
  /** Id of the operator's key for deliveries, or undefined if each process has its own. */
  readonly sharedSealing?: string | undefined
  readonly now: Date
  readonly progress: Progress
}

/** Approximate size of a part of a table. */
const PART_BYTES = 4_194_304

/**
 * Makes an archive of a snapshot of the database, while others write, and of its files: yields the bytes of a tar, and
 * returns its head and manifest.
 */
export async function* backUp(source: Source): AsyncGenerator<Buffer, Contents> {
  const { connection, secretKey, holdsKey } = source
  const { rows } = connection
  const tables = await findTables(rows)
  if (!tables.some(({ name }) => name === FILES_TABLE)) throw new ArchiveError('There is no school to back up yet.')
  const secrets = await describeKey(rows, secretKey, holdsKey)
  await rows('begin isolation level repeatable read read only')
  // Prevents changes of tables. The first statement after the lock takes the snapshot.
  await rows(`lock table ${tables.map(({ name }) => identifier(name)).join(', ')} in access share mode`)
  const contents = yield* archiveOf(tables, secrets, source)
  await rows('commit')
  return contents
}

async function* archiveOf(
  found: readonly FoundTable[],
  secrets: SecretsHead | undefined,
  source: Source,
): AsyncGenerator<Buffer, Contents> {
  const { connection, now, sharedSealing } = source
  const head: Head = {
    format: FORMAT,
    service: serviceVersion(),
    created_at: now.toISOString(),
    migrations: await findMigrations(connection.rows),
    tables: found.map(({ name, columns }) => ({ name, columns })),
    sequences: await findSequences(connection.rows),
    secrets,
    delivery_secrets_left_out: await countLeftOut(connection.rows, sharedSealing),
  }
  yield* entry(HEAD, [Buffer.from(JSON.stringify(head))], now)
  const tables = yield* tablesOf(found, source)
  const files = yield* filesOf(source)
  const manifest: Manifest = { tables, files }
  yield* entry(MANIFEST, [Buffer.from(JSON.stringify(manifest))], now)
  yield TAR_END
  return { head, manifest }
}

function* entry(name: string, content: readonly Buffer[], now: Date): Generator<Buffer> {
  const bytes = content.reduce((sum, { length }) => sum + length, 0)
  yield tarHeader(name, bytes, now)
  yield* content
  yield tarPadding(bytes)
}

async function* tablesOf(found: readonly FoundTable[], source: Source): AsyncGenerator<Buffer, Manifest['tables']> {
  const { progress } = source
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const sums: [name: string, Sums][] = []
  let done = 0
  for (const [index, table] of found.entries()) {
    progress(table.name, mebibytes(done), mebibytes(total))
    sums.push([table.name, yield* tableOf(source, { ...table, index })])
    done += table.bytes
  }
  return Object.fromEntries(sums)
}

/** Writes lines of JSON, each an array of the values as PostgreSQL writes them. */
async function* tableOf(
  { connection, now, sharedSealing }: Source,
  { name, columns, index }: FoundTable & { readonly index: number },
): AsyncGenerator<Buffer, Sums> {
  const values = name === DELIVERIES ? archivedValues(sharedSealing) : undefined
  const names = columns.map((column) => values?.get(column.name) ?? identifier(column.name)).join(', ')
  const condition = name === FILES_TABLE ? `where ${await neededFiles(connection.rows)}` : ''
  const copying = connection.copyOut(
    `copy (select ${names} from ${identifier(name)} ${condition}) to stdout (encoding 'utf8')`,
  )
  const sha256 = createHash('sha256')
  const sums = { rows: 0, bytes: 0 }
  let held: Buffer[] = []
  let [part, heldBytes] = [0, 0]
  function* flush(): Generator<Buffer> {
    if (heldBytes === 0) return
    part += 1
    yield* entry(partName({ name, index }, part), held, now)
    held = []
    heldBytes = 0
  }
  for await (const copied of wholeLines(copying)) {
    const lines = jsonLines(copied)
    sha256.update(lines)
    sums.bytes += lines.length
    sums.rows += countLines(lines)
    held.push(lines)
    heldBytes += lines.length
    if (heldBytes >= PART_BYTES) yield* flush()
  }
  yield* flush()
  return { ...sums, sha256: sha256.digest('hex') }
}

async function* filesOf({
  connection: { rows },
  store,
  now,
  progress,
}: Source): AsyncGenerator<Buffer, Manifest['files']> {
  const [sums] = await rows(`select coalesce(sum(bytes), 0) from ${FILES_TABLE} where ${await neededFiles(rows)}`)
  const total = Number(sums?.[0])
  const [missing, damaged]: [string[], string[]] = [[], []]
  const files = { count: 0, bytes: 0, missing, damaged }
  for await (const file of listFiles(rows)) {
    progress('files', mebibytes(files.bytes), mebibytes(total))
    const content = await store.read(file.key)
    if (!content) {
      files.missing.push(file.digest)
      continue
    }
    files.count += 1
    files.bytes += file.bytes
    const isSound = yield* fileOf(file, content, now)
    if (!isSound) files.damaged.push(file.digest)
  }
  return files
}

/** Cuts or pads a damaged file to its stored size. Returns whether the file is undamaged. */
async function* fileOf(
  { digest, bytes }: ArchivedFile,
  content: AsyncIterable<Buffer>,
  now: Date,
): AsyncGenerator<Buffer, boolean> {
  const sha256 = createHash('sha256')
  let left = bytes
  yield tarHeader(fileName(digest), bytes, now)
  for await (const chunk of content) {
    sha256.update(chunk)
    const fitting = chunk.subarray(0, left)
    left -= fitting.length
    if (fitting.length > 0) yield fitting
  }
  for (; left > 0; left -= Math.min(left, PART_BYTES)) yield Buffer.alloc(Math.min(left, PART_BYTES))
  yield tarPadding(bytes)
  return sha256.digest('hex') === digest
}
