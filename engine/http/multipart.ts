import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { MultipartFile } from '@fastify/multipart'
import { parse } from 'content-type'
import type { FastifyRequest } from 'fastify'
import { codeOf, toError } from '../base/caught.ts'
import { ConfigError } from '../base/config-error.ts'
import { message } from '../base/languages/say.ts'
import { HttpError, malformed } from '../errors.ts'
import type { OpenUpload } from './open-uploads.ts'
import { MAX_DEPTH, nest, splitName } from './params.ts'
import type { Staging } from './staging.ts'
import { type FileFields, UploadedFile } from './uploaded-file.ts'
import { decodeUtf8 } from './utf8.ts'

const MAX_PARTS = 2_000
const PARTS_AT_A_TIME = 100
const MAX_FILES = 20
/** Maximum size of all fields together. */
const MAX_TEXT_BYTES = 1_048_576
const NO_FILES: FileFields = { maxBytes: {}, maxBodyBytes: 1_048_576 }

declare module 'fastify' {
  interface FastifyContextConfig {
    files?: FileFields | undefined
  }
}

type Receiving = {
  readonly staging: Staging
  readonly pauseMilliseconds: number
  readonly upload: OpenUpload | undefined
  readonly spend?: (() => Promise<void>) | undefined
}

export const acceptedFiles = ({ routeOptions }: FastifyRequest): FileFields => routeOptions.config.files ?? NO_FILES

/**
 * Reads a multipart body into one nested value, and stages its files on disk. Throws 413 for a body that is too large, 400 for an
 * incomplete one and 408 if it pauses too long. Then removes its files.
 */
export async function readMultipart(
  request: FastifyRequest,
  { staging, pauseMilliseconds, upload, spend }: Receiving,
): Promise<unknown> {
  const accepted = acceptedFiles(request)
  const pairs: [string, string | UploadedFile][] = []
  if (Number(request.headers['content-length'] ?? 0) > accepted.maxBodyBytes) throw tooLarge(accepted)
  const endWatch = watch(request, accepted, { pauseMilliseconds, upload })
  let textBytes = 0
  let files = 0
  try {
    const parts = request.parts({ limits: { fileSize: Number.POSITIVE_INFINITY, files: MAX_PARTS, parts: MAX_PARTS } })
    for await (const part of parts) {
      if (part.type !== 'file') continue // The parser makes a file of every part.
      // Parts that have arrived would be read without a turn of the event loop.
      if (pairs.length % PARTS_AT_A_TIME === 0) await setImmediate()
      const name = requireText(part.fieldname ?? '')
      if (isFile(part)) {
        files += 1
        if (files > MAX_FILES)
          throw new HttpError(413, message('At most {most} files are accepted in one request.', { most: MAX_FILES }))
        pairs.push([name, await receive(part, accepted, { staging, spend })])
      } else {
        const bytes = await readText(part, MAX_TEXT_BYTES - textBytes)
        textBytes += bytes.length
        pairs.push([
          name,
          decodeUtf8(bytes, message('The field {name} is not valid UTF-8.', { name: name.slice(0, 80) })),
        ])
      }
    }
    endWatch()
    return pairs.length === 0 ? undefined : nest(pairs)
  } catch (error) {
    await dropUploads(
      pairs.map(([, value]) => value),
      staging,
    )
    throw endWatch() ?? asHttpError(error)
  }
}

/** Forms send fields without a file name and media type. */
const isFile = ({ filename, mimetype }: MultipartFile) =>
  filename !== undefined || mimetype === 'application/octet-stream'

/** The parser replaces invalid bytes of a name by U+FFFD. */
function requireText(name: string): string {
  if (name.includes('\ufffd')) throw malformed('The name of a part is not valid UTF-8.')
  return name
}

async function readText({ file }: MultipartFile, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw new HttpError(
        413,
        message('The fields of the body hold more than {most} bytes beside its files.', { most: MAX_TEXT_BYTES }),
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export async function dropUploads(body: unknown, staging: Staging): Promise<void> {
  for (const { staged } of uploadsIn(body)) if (staged) await staging.drop(staged.path)
}

/** Returns the files in a body. Names of multipart bodies are not nested more deeply. */
function uploadsIn(body: unknown, depth = 0): UploadedFile[] {
  if (body instanceof UploadedFile) return [body]
  if (typeof body !== 'object' || body === null || depth > MAX_DEPTH) return []
  return Object.values(body).flatMap((part) => uploadsIn(part, depth + 1))
}

async function receive(
  part: MultipartFile,
  { maxBytes }: FileFields,
  { staging, spend }: Pick<Receiving, 'staging' | 'spend'>,
): Promise<UploadedFile> {
  const name = splitName(part.fieldname).at(-1) ?? ''
  const limit = Object.hasOwn(maxBytes, name) ? maxBytes[name] : undefined
  if (limit === undefined) {
    await finished(part.file.resume())
    return new UploadedFile(part.filename ?? '', {})
  }
  const staged = await staging.receive(part.file, limit, async () => {
    await staging.requireFreeSpace()
    await spend?.()
  })
  return new UploadedFile(part.filename ?? '', staged ? { staged } : { exceeds: limit })
}

/** Ends a body that is too large or pauses too long. Returns a function that ends the watch and returns the refusal, if any. */
function watch(
  request: FastifyRequest,
  accepted: FileFields,
  { pauseMilliseconds, upload }: Pick<Receiving, 'pauseMilliseconds' | 'upload'>,
): () => HttpError | undefined {
  let bytes = 0
  let delimiters = 0
  const delimiter = delimiterOf(request)
  let httpError: HttpError | undefined
  const end = (reason: HttpError) => {
    httpError ??= reason
    request.raw.off('data', count)
    request.raw.emit('error', reason)
  }
  const idle = setTimeout(() => end(new HttpError(408, 'The body stopped coming.')), pauseMilliseconds)
  const count = (chunk: Buffer) => {
    idle.refresh()
    bytes += chunk.length
    delimiters += countIn(chunk, delimiter)
    if (bytes > accepted.maxBodyBytes) end(tooLarge(accepted))
    else if (delimiters > MAX_PARTS) end(tooManyParts())
    const refusal = upload?.received(bytes)
    if (refusal) end(refusal)
  }
  request.raw.on('data', count)
  return () => {
    clearTimeout(idle)
    return httpError
  }
}

/** The delimiter before each part but the first, and at the end (RFC 2046 §5.1.1). */
const delimiterOf = ({ headers }: FastifyRequest) =>
  Buffer.from(`\r\n--${parse(headers['content-type'] ?? '').parameters.boundary ?? ''}`)

/** Misses delimiters across two chunks. The parser counts exactly. */
function countIn(chunk: Buffer, text: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf(text); at >= 0; at = chunk.indexOf(text, at + text.length)) count += 1
  return count
}

const tooManyParts = () =>
  new HttpError(413, message('At most {most} parts are accepted in one request.', { most: MAX_PARTS }))

const tooLarge = ({ maxBodyBytes }: FileFields) =>
  new HttpError(
    413,
    message('The body is larger than this service accepts here: at most {most} bytes.', { most: maxBodyBytes }),
  )

/** Errors of the file system have a path. Errors of the connection do not. */
const isOfFileSystem = (error: unknown) => toError(error).path !== undefined

function asHttpError(error: unknown): unknown {
  if (error instanceof HttpError) return error
  if (codeOf(error) === 'FST_PARTS_LIMIT' || codeOf(error) === 'FST_FILES_LIMIT') return tooManyParts()
  if (error instanceof ConfigError || isOfFileSystem(error)) return error
  return malformed('The multipart body is not well formed or ends too early.')
}
