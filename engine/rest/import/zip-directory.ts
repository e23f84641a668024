import { createInflateRaw } from 'node:zlib'
import { message } from '../../base/languages/say.ts'
import { UnreadableFile } from './row.ts'

const MAX_ENTRIES = 5_000
const END_BYTES = 22
const HEAD_BYTES = 30
const STORED = 0
const DEFLATED = 8
const IN_ZIP64 = 0xffffffff
const ZIP64_FIELD = 1

type ZipEntry = {
  readonly nameBytes: number
  readonly method: number
  readonly packedBytes: number
  readonly offset: number
}

const broken = () => new UnreadableFile('The workbook is damaged. Open it in a spreadsheet program and save it again.')

/** Names of parts ignore case (ECMA-376 part 2). Some writers use backslashes or a leading slash. */
export const partKey = (name: string) => name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase()

/** Returns the entries of a zip by `partKey`, checked before any content is inflated. Throws UnreadableFile. */
export function readZipDirectory(bytes: Buffer): ReadonlyMap<string, ZipEntry> {
  if (bytes.length < END_BYTES) throw broken()
  const end = bytes.lastIndexOf('PK\x05\x06', bytes.length - END_BYTES, 'latin1')
  if (end < 0 || end < bytes.length - END_BYTES - 65_535) throw broken()
  const count = bytes.readUInt16LE(end + 10)
  const start = bytes.readUInt32LE(end + 16)
  if (count > MAX_ENTRIES)
    throw new UnreadableFile(
      message('The workbook has more than {most} parts. Save the sheet as CSV.', { most: MAX_ENTRIES }),
    )
  const entries = new Map<string, ZipEntry>()
  let at = start
  for (let read = 0; read < count; read += 1) {
    if (at + 46 > end || bytes.readUInt32LE(at) !== 0x02014b50) throw broken()
    if (bytes.readUInt16LE(at + 8) & 1)
      throw new UnreadableFile('The workbook is encrypted. Save it without a password.')
    const nameEnd = at + 46 + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const key = partKey(bytes.toString('utf8', at + 46, nameEnd))
    const entry = {
      nameBytes: nameEnd - at - 46,
      method: bytes.readUInt16LE(at + 10),
      ...placeOf(bytes, at, bytes.subarray(nameEnd, extraEnd)),
    }
    if (entries.has(key)) throw broken()
    entries.set(key, entry)
    at = extraEnd + bytes.readUInt16LE(at + 32)
  }
  requireSeparate(entries, start)
  return entries
}

/**
 * Returns the packed size and the offset of an entry, from its zip64 field if it has them there. Some writers always
 * use this field.
 */
function placeOf(bytes: Buffer, at: number, extra: Buffer): Pick<ZipEntry, 'packedBytes' | 'offset'> {
  const large = zip64Values(extra)
  const valueAt = (place: number) => {
    const value = bytes.readUInt32LE(at + place)
    return value === IN_ZIP64 ? Number(large.shift() ?? value) : value
  }
  valueAt(24) // The inflated size comes first.
  return { packedBytes: valueAt(20), offset: valueAt(42) }
}

function zip64Values(extra: Buffer): bigint[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64_FIELD) continue
    const values = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    return Array.from({ length: Math.floor(values.length / 8) }, (_, index) => values.readBigUInt64LE(index * 8))
  }
  return []
}

function requireSeparate(entries: ReadonlyMap<string, ZipEntry>, directory: number): void {
  let free = 0
  for (const { nameBytes, packedBytes, offset } of [...entries.values()].toSorted(
    (one, other) => one.offset - other.offset,
  )) {
    if (offset < free) throw broken()
    free = offset + HEAD_BYTES + nameBytes + packedBytes
  }
  if (free > directory) throw broken()
}

/** Inflates an entry, whatever size it declares. Throws UnreadableFile above `maxBytes`. */
export async function* inflateEntry(bytes: Buffer, entry: ZipEntry, maxBytes: number): AsyncGenerator<Buffer> {
  const { offset, packedBytes, method } = entry
  if (offset + HEAD_BYTES > bytes.length || bytes.readUInt32LE(offset) !== 0x04034b50) throw broken()
  const start = offset + HEAD_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  if (start + packedBytes > bytes.length || (method !== STORED && method !== DEFLATED)) throw broken()
  const content = bytes.subarray(start, start + packedBytes)
  let size = 0
  for await (const piece of method === STORED ? slicesOf(content) : inflated(content)) {
    size += piece.length
    if (size > maxBytes) throw new UnreadableFile('The workbook is too large. Save the sheet as CSV.')
    yield piece
  }
}

const PIECE_BYTES = 65_536

function* slicesOf(content: Buffer): Generator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES)
}

async function* inflated(content: Buffer): AsyncGenerator<Buffer> {
  const stream = createInflateRaw({ chunkSize: PIECE_BYTES })
  stream.end(content)
  try {
    yield* stream
  } catch {
    throw broken()
  } finally {
    stream.destroy()
  }
}
