import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type { Progress } from '@campus/engine/base/progress'
import { printable } from '@campus/engine/base/text/printable'
import type { Opening } from './encryption.ts'
import { ArchiveError, FORMAT, type Head, isHead, isManifest, kindOf, type Manifest, type Sums } from './format.ts'
import { countLines, mebibytes } from './lines.ts'
import { unpack } from './streams.ts'
import { readTar, type TarEntry } from './tar.ts'

/** Receives the entries of an archive in their order. */
export type Taking = {
  head?(head: Head): Promise<void>
  table?(table: string, content: AsyncIterable<Buffer>): Promise<void>
  file?(digest: string, content: AsyncIterable<Buffer>): Promise<void>
}

export type Contents = { readonly head: Head; readonly manifest: Manifest }

export type ReadOptions = { readonly opening: Opening | undefined; readonly progress: Progress; readonly step: string }

/** Reads a whole archive and passes on its entries. Returns head and manifest after checking all sums. Throws ArchiveError. */
export async function readArchive(
  path: string,
  { opening, progress, step }: ReadOptions,
  taking: Taking = {},
): Promise<Contents> {
  const { size } = await stat(path)
  const packed = createReadStream(path)
  const report = () => progress(step, mebibytes(packed.bytesRead), mebibytes(size))
  return readPacked(packed, opening, { taking, report })
}

type PackedOptions = { readonly taking?: Taking; readonly report?: () => void }

/** Reads an archive from a stream, as `readArchive` does from a file. */
export async function readPacked(
  packed: Readable,
  opening: Opening | undefined,
  { taking = {}, report }: PackedOptions = {},
): Promise<Contents> {
  const found = new Found()
  let head: Head | undefined
  let manifest: Manifest | undefined
  for await (const entry of readTar(unpack(packed, opening))) {
    report?.()
    const kind = kindOf(entry.name, head)
    if (!kind || manifest || (head === undefined) !== (kind.kind === 'head')) throw new ArchiveError(NO_ARCHIVE)
    if (kind.kind === 'head') {
      head = readHead(await textOf(entry))
      await taking.head?.(head)
    } else if (kind.kind === 'manifest') {
      manifest = readManifest(await textOf(entry))
    } else if (kind.kind === 'table') {
      await handOut(found.table(kind.table, entry.content), (content) => taking.table?.(kind.table, content))
    } else {
      await handOut(found.file(kind.digest, entry), (content) => taking.file?.(kind.digest, content))
    }
  }
  if (!head || !manifest) throw new ArchiveError('It is not whole: it ends too early.')
  if (!isDeepStrictEqual(found.sums(head, manifest), manifest)) throw new ArchiveError(DAMAGED)
  return { head, manifest }
}

const NO_ARCHIVE = 'It is no archive of this service.'
const DAMAGED = 'It is damaged: what is in it is not what it says of itself.'

async function handOut(
  content: AsyncGenerator<Buffer>,
  take: (content: AsyncIterable<Buffer>) => Promise<void> | undefined,
): Promise<void> {
  await take(content)
  for await (const _ of content); // Entries that the caller has not read are checked, too.
}

/** Maximum size of entries that are held in memory. */
const LARGEST_TEXT_BYTES = 64 * 1_048_576

async function textOf({ bytes, content }: TarEntry): Promise<string> {
  if (bytes > LARGEST_TEXT_BYTES) throw new ArchiveError(NO_ARCHIVE)
  return (await buffer(content)).toString('utf8')
}

function readHead(text: string): Head {
  const head = readJson(text)
  const { format, service } = Object(head)
  if (Number.isSafeInteger(format) && format > FORMAT) {
    const version = printable(String(service))
    throw new ArchiveError(`It is of a newer version (${version}): restore it with that version, or a later one.`)
  }
  if (!isHead(head)) throw new ArchiveError(NO_ARCHIVE)
  return head
}

function readManifest(text: string): Manifest {
  const manifest = readJson(text)
  if (!isManifest(manifest)) throw new ArchiveError(DAMAGED)
  return manifest
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ArchiveError(NO_ARCHIVE)
  }
}

/** Computes the sums of the entries. */
class Found {
  readonly #tables = new Map<string, { rows: number; bytes: number; sha256: Hash }>()
  readonly #damaged: string[] = []
  #count = 0
  #bytes = 0

  async *table(name: string, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const sums = this.#tables.get(name) ?? { rows: 0, bytes: 0, sha256: createHash('sha256') }
    this.#tables.set(name, sums)
    for await (const chunk of content) {
      sums.sha256.update(chunk)
      sums.bytes += chunk.length
      sums.rows += countLines(chunk)
      yield chunk
    }
  }

  async *file(digest: string, { bytes, content }: TarEntry): AsyncGenerator<Buffer> {
    const sha256 = createHash('sha256')
    this.#count += 1
    this.#bytes += bytes
    for await (const chunk of content) {
      sha256.update(chunk)
      yield chunk
    }
    if (sha256.digest('hex') !== digest) this.#damaged.push(digest)
  }

  /** Returns the manifest that the entries should have. */
  sums({ tables }: Head, { files }: Manifest): Manifest {
    const empty = () => ({ rows: 0, bytes: 0, sha256: createHash('sha256') })
    const sumsOf = (name: string): Sums => {
      const { rows, bytes, sha256 } = this.#tables.get(name) ?? empty()
      return { rows, bytes, sha256: sha256.digest('hex') }
    }
    const names = new Set([...tables.map(({ name }) => name), ...this.#tables.keys()])
    const { missing } = files
    return {
      tables: Object.fromEntries([...names].map((name) => [name, sumsOf(name)])),
      files: { count: this.#count, bytes: this.#bytes, missing, damaged: this.#damaged },
    }
  }
}
