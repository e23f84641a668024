import { promisify } from 'node:util'
import multipart from '@fastify/multipart'
import { errorCodes, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { toError } from '../base/caught.ts'
import { filled, type Message, message } from '../base/languages/say.ts'
import { HttpError, malformed } from '../errors.ts'
import { excessOfJson } from './body-limits.ts'
import { acceptedFiles, readMultipart } from './multipart.ts'
import { OpenUploads } from './open-uploads.ts'
import { nest, type Pair, readPairs } from './params.ts'
import { personOfRequest } from './run-for-request.ts'
import type { Staging } from './staging.ts'
import { decodeUtf8 } from './utf8.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    ignoresBody?: boolean
  }
}

type Accepting = {
  /** Maximum time without data in a body with files. */
  readonly pauseMilliseconds?: number
  readonly spendUpload?: SpendUpload | undefined
}

/** Counts one MiB of uploads for a person. Throws 429. */
export type SpendUpload = (person: number) => Promise<void>

export async function acceptBodies(
  app: FastifyInstance,
  staging: Staging,
  { pauseMilliseconds = 60_000, spendUpload }: Accepting = {},
): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/vnd.api+json'], { parseAs: 'buffer' }, ifTaken(parseJson))
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    ifTaken((bytes) => (bytes.length === 0 ? undefined : nest(readForm(bytes)))),
  )
  app.addContentTypeParser('*', (request, _payload, done) =>
    ignoresBody(request) || request.headers['content-length'] === '0'
      ? done(null, undefined)
      : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  )
  await acceptMultipart(app)
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const coding = request.headers['content-encoding'] ?? ''
    done(COMPRESSED.test(coding) && !ignoresBody(request) ? compressedBody(coding) : null)
  })
  const uploads = new OpenUploads()
  const read = async (request: FastifyRequest, reply: FastifyReply) => {
    const upload = uploads.open(request, reply, acceptedFiles(request).maxBodyBytes)
    const person = personOfRequest(request)
    const spend = person === undefined ? undefined : async () => spendUpload?.(person)
    request.body = await readMultipart(request, { staging, pauseMilliseconds, upload, spend })
  }
  app.addHook('preValidation', (request, reply, done) => {
    if (!request.isMultipart() || ignoresBody(request)) return done()
    return read(request, reply)
  })
}

/** Omits the plugin's hooks for files that it has written, which cost two promises and a listener per request. */
function acceptMultipart(app: FastifyInstance): Promise<void> {
  const withoutHooks: FastifyInstance = Object.create(app, { addHook: { value: () => withoutHooks } })
  // Fields are read as files, since the plugin would replace invalid UTF-8.
  return promisify(multipart)(withoutHooks, { isPartAFile: () => true })
}

/** Some clients send a body with every request (spec: requests 10). */
const ignoresBody = ({ is404, routeOptions }: FastifyRequest) => is404 || routeOptions.config.ignoresBody === true

/** Compressed bodies are refused: a few bytes may decompress to very many. */
const COMPRESSED = /\b(gzip|x-gzip|compress|x-compress|deflate|br|zstd)\b/i

const compressedBody = (coding: string) =>
  new HttpError(
    415,
    message('The body is compressed ({coding}), which is not supported: send it as it is.', {
      coding: coding.slice(0, 80),
    }),
    {
      source: { header: 'Content-Encoding' },
      headers: { 'Accept-Encoding': 'identity' },
    },
  )

const ifTaken = (read: (bytes: Buffer) => unknown) => async (request: FastifyRequest, bytes: Buffer) =>
  ignoresBody(request) ? undefined : read(bytes)

/** Parses an urlencoded body, and overwrites its bytes. Throws 400. */
export function readForm(bytes: Buffer): readonly Pair[] {
  const text = decodeUtf8(plusesToBlanks(bytes))
  // `curl -d` sends everything as a form.
  if (/^\s*[[{]/.test(text)) {
    throw malformed(
      'The body looks like JSON, and its Content-Type says that it is a form: send it with Content-Type: application/json.',
    )
  }
  return readPairs(text)
}

/** Replaces bytes, since replacing in a string takes ten times as long. */
function plusesToBlanks(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0x2b) bytes[at] = 0x20
  return bytes
}

function parseJson(bytes: Buffer): unknown {
  const excess = excessOfJson(bytes)
  if (excess !== undefined) throw malformed(message('The body {excess}.', { excess: filled(excess) }))
  const text = decodeUtf8(bytes).replace(/^\ufeff/, '')
  return text.trim() === '' ? undefined : readJson(text)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(faultOfJson(toError(error)))
  }
}

/** Describes a syntax error by its position. The error's own message would repeat parts of the body. */
function faultOfJson(error: Error): Message {
  if (error.message.startsWith('Unexpected end')) return 'The body is not valid JSON: it ends too early.'
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(error.message) ?? []
  if (line === undefined || column === undefined) return 'The body is not valid JSON.'
  return message('The body is not valid JSON at line {line}, column {column}.', { line, column })
}
