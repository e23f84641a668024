import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Encoding } from './accept-encoding.ts'

type Compress = (bytes: Buffer) => Buffer
type CompressAside = (bytes: Buffer) => Promise<Buffer>

type Level = {
  /** In this thread: below some size that takes less of it than asking another one. */
  readonly here: Compress
  readonly aside: CompressAside
}

const gzip = promisify(zlib.gzip)
const brotli = promisify(zlib.brotliCompress)
const zstd = promisify(zlib.zstdCompress)

function gzipLevel(level: number): Level {
  return { here: (bytes) => zlib.gzipSync(bytes, { level }), aside: (bytes) => gzip(bytes, { level }) }
}

function brotliLevel(quality: number): Level {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
  const optionsFor = ({ length }: Buffer) => ({
    params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: length },
  })
  return {
    here: (bytes) => zlib.brotliCompressSync(bytes, optionsFor(bytes)),
    aside: (bytes) => brotli(bytes, optionsFor(bytes)),
  }
}

function zstdLevel(level: number): Level {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: level }
  return {
    here: (bytes) => zlib.zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length }),
    aside: (bytes) => zstd(bytes, { params, pledgedSrcSize: bytes.length }),
  }
}

/** By measure: of a page the next levels take off some hundredths more, and take two to four times as long. */
const QUICK: Readonly<Record<Encoding, Level>> = { zstd: zstdLevel(1), br: brotliLevel(1), gzip: gzipLevel(1) }
/** For what is compressed once. */
const THOROUGH: Readonly<Record<Encoding, Level>> = { zstd: zstdLevel(12), br: brotliLevel(9), gzip: gzipLevel(9) }

/** Below that it takes less than half a millisecond; what is larger must not hold the event loop. */
const MAX_HERE_BYTES = 65_536

/** Bytes in a coding, at a level for what is sent once; large ones are compressed in another thread. */
export function compressed(bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const forms = formsOfCached.get(bytes)
  if (forms) return cachedForm(forms, bytes, encoding)
  const { here, aside } = QUICK[encoding]
  return bytes.length <= MAX_HERE_BYTES ? here(bytes) : aside(bytes)
}

type Forms = Map<Encoding, Buffer | Promise<Buffer>>

const formsOfCached = new WeakMap<Buffer, Forms>()

/** Bytes that are sent again and again as they are: `compressed` makes each form of them once, as small as it gets. */
export function compressOnce(bytes: Buffer): Buffer {
  if (!formsOfCached.has(bytes)) formsOfCached.set(bytes, new Map())
  return bytes
}

function cachedForm(forms: Forms, bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const known = forms.get(encoding)
  if (known) return known
  const making = THOROUGH[encoding].aside(bytes)
  forms.set(encoding, making)
  making.then(
    (form) => forms.set(encoding, form),
    () => forms.delete(encoding),
  )
  return making
}
