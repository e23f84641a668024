import { defined } from '@campus/engine/base/defined'
import { ArchiveError } from './format.ts'

/*
 * Archives are POSIX tar (ustar), so that every system can look into them. Entries are files with short names. Any other
 * header is refused, since a backup never writes one. Libraries for tar apply headers of PAX and GNU to the next entry
 * without showing them, so a forged archive could rename entries: tar-stream 3 and modern-tar 0.8 were tried.
 */

const BLOCK = 512
/** Offsets in a header: the type of the entry, and the prefix of its name. */
const [TYPE, PREFIX] = [156, 345]
const REGULAR = 0x30
/** Eleven octal digits. */
const LARGEST_BYTES = 8 ** 11 - 1

export function tarHeader(name: string, bytes: number, modifiedAt: Date): Buffer {
  if (bytes > LARGEST_BYTES || Buffer.byteLength(name) > 100)
    throw new Error(`${name} does not fit into an entry of tar`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value: number, at: number, digits: number) =>
    header.write(`${value.toString(8).padStart(digits, '0')}\0`, at, 'latin1')
  header.write(name, 0)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  octal(bytes, 124, 11)
  octal(Math.floor(modifiedAt.getTime() / 1000), 136, 11)
  header.write('0', 156)
  header.write('ustar\x0000', 257, 'latin1')
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return header
}

/** Returns the zeros that follow the content of an entry. */
export const tarPadding = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK)

export const TAR_END = Buffer.alloc(2 * BLOCK)

export type TarEntry = {
  readonly name: string
  readonly bytes: number
  /** Must be read to its end before the next entry is requested. */
  readonly content: AsyncIterable<Buffer>
}

/** Reads the entries in their order. Throws ArchiveError if the source is no tar or ends too early. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const reader = new Reader(source)
  for (;;) {
    const header = await reader.take(BLOCK)
    if (header.every((byte) => byte === 0)) break
    const { name, bytes } = readHeader(header)
    yield { name, bytes, content: reader.stream(bytes) }
    await reader.take(tarPadding(bytes).length)
  }
  // Reading to the end detects a damaged end of a compressed or encrypted stream.
  await reader.drain()
}

function readHeader(header: Buffer): { name: string; bytes: number } {
  const text = (from: number, to: number) => header.toString('utf8', from, to).replace(/[\0 ].*$/s, '')
  // Refuses links, folders and names in two parts.
  const isFile = header[TYPE] === REGULAR && header[PREFIX] === 0
  const isSupported = isFile && text(257, 262) === 'ustar' && Number.parseInt(text(148, 156), 8) === checksumOf(header)
  const bytes = Number.parseInt(text(124, 136), 8)
  if (!isSupported || !Number.isSafeInteger(bytes))
    throw new ArchiveError('It is damaged: an entry in it has no sound header.')
  return { name: text(0, 100), bytes }
}

/** Sums all bytes. Those of the sum itself count as blanks. */
function checksumOf(header: Buffer): number {
  let sum = 8 * 32
  for (let at = 0; at < BLOCK; at += 1) if (at < 148 || at >= 156) sum += defined(header[at])
  return sum
}

class Reader {
  readonly #source: AsyncIterator<Uint8Array>
  #left: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for await (const part of this.stream(bytes)) parts.push(part)
    return parts.length === 1 ? defined(parts[0]) : Buffer.concat(parts)
  }

  async *stream(bytes: number): AsyncGenerator<Buffer> {
    for (let remaining = bytes; remaining > 0; ) {
      if (this.#left.length === 0) await this.#read()
      const part = this.#left.subarray(0, remaining)
      this.#left = this.#left.subarray(part.length)
      remaining -= part.length
      if (part.length > 0) yield part
    }
  }

  async drain(): Promise<void> {
    while (!(await this.#source.next()).done);
  }

  async #read(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done) throw new ArchiveError('It is not whole: it ends too early.')
    this.#left = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  }
}
