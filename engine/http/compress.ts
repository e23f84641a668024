import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import type { Encoding } from './accept-encoding.ts'

type Level = {
  /** Compresses in this thread, which is faster for small bodies. */
  readonly here: (bytes: Buffer) => Buffer
  readonly aside: (bytes: Buffer) => Promise<Buffer>
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

/** Measured: the next levels make pages only a few percent smaller and take two to four times as long. */
const QUICK: Readonly<Record<Encoding, Level>> = { zstd: zstdLevel(1), br: brotliLevel(1), gzip: gzipLevel(1) }
const THOROUGH: Readonly<Record<Encoding, Level>> = { zstd: zstdLevel(12), br: brotliLevel(9), gzip: gzipLevel(9) }

/** Smaller bodies take less than half a millisecond. Larger ones must not block the event loop. */
const MAX_HERE_BYTES = 65_536

export function compressed(bytes: Buffer, encoding: Encoding): Buffer | Promise<Buffer> {
  const forms = formsOfCached.get(bytes)
  if (forms) return cachedForm(forms, bytes, encoding)
  const { here, aside } = QUICK[encoding]
  return bytes.length <= MAX_HERE_BYTES ? here(bytes) : aside(bytes)
}

type Forms = Map<Encoding, Buffer | Promise<Buffer>>

const formsOfCached = new WeakMap<Buffer, Forms>()

/** Marks bytes that are sent repeatedly. `compressed` compresses them once per coding, at a high level. */
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
