import { Readable, type Transform } from 'node:stream'
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib'
import { codeOf, toError } from '@campus/engine/base/caught'
import { AGE_MARK, type Closing, decrypt, encrypt, type Opening } from './encryption.ts'
import { ArchiveError } from './format.ts'

const LEVEL = 3

export function compress(bytes: AsyncIterable<Buffer>): Readable {
  const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
  const params = { [ZSTD_c_compressionLevel]: LEVEL, [ZSTD_c_checksumFlag]: 1 }
  return piped(Readable.from(bytes, { objectMode: false }), createZstdCompress({ params }))
}

export async function encryptPacked(packed: Readable, closing: Closing): Promise<Readable> {
  return Readable.from(await encrypt(toWeb(packed), closing), { objectMode: false })
}

// biome-ignore lint/plugin: Node has one class of web streams and two types of it
const toWeb = (source: Readable): ReadableStream => Readable.toWeb(source) as never

/** Decrypts and decompresses an archive. Reading damaged bytes throws an ArchiveError. */
export async function* unpack(packed: Readable, opening: Opening | undefined): AsyncGenerator<Buffer> {
  try {
    const [mark, whole] = await peek(packed, AGE_MARK.length)
    const isEncrypted = mark.toString('latin1') === AGE_MARK
    const plain = isEncrypted ? Readable.from(await decrypt(toWeb(whole), opening), { objectMode: false }) : whole
    const unpacked = createZstdDecompress()
    // Bytes after the end of the archive may fail to unpack after the last read. An unhandled error would end the process.
    unpacked.on('error', () => {})
    yield* piped(plain, unpacked)
  } catch (error) {
    throw isSystemError(error) || error instanceof ArchiveError ? error : damaged(error)
  }
}

/** Passes errors of a stream to the stream at the end. */
function piped(source: Readable, target: Transform): Transform {
  source.once('error', (error) => target.destroy(error))
  target.once('close', () => source.destroy())
  return source.pipe(target)
}

/** Returns the first bytes and a stream of all bytes. */
async function peek(source: Readable, bytes: number): Promise<[Buffer, Readable]> {
  const iterator = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < bytes) {
    const { done, value } = await iterator.next()
    if (done) break
    start = Buffer.concat([start, value])
  }
  async function* whole() {
    yield start
    yield* { [Symbol.asyncIterator]: () => iterator }
  }
  return [start.subarray(0, bytes), Readable.from(whole(), { objectMode: false })]
}

/** Reports whether an error is of the system, such as a file that cannot be read. */
export const isSystemError = (error: unknown) => typeof toError(error).syscall === 'string'

function damaged(cause: unknown): ArchiveError {
  const isCut = codeOf(cause) === 'Z_BUF_ERROR'
  return new ArchiveError(
    isCut ? 'It is not whole: it ends too early.' : 'It is damaged, or no archive of this service.',
    { cause },
  )
}
