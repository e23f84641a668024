import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { malformed } from '../errors.ts'
import { refuseVast } from './body-limits.ts'
import { readMultipart } from './multipart.ts'
import { type Params, parseParams } from './params.ts'
import type { Staging } from './staging.ts'
import { decodeUtf8 } from './utf8.ts'

/**
 * Every form of body becomes one nested value: JSON, urlencoded, multipart; an empty body is undefined. One with files
 * may pause for so many milliseconds.
 */
export async function acceptBodies(app: FastifyInstance, staging: Staging, pauseMilliseconds = 60_000): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/vnd.api+json'], { parseAs: 'buffer' }, parseJson)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (_request: unknown, bytes: Buffer) => (bytes.length === 0 ? undefined : parseForm(textOf(bytes))),
  )
  // A field is read as files are, or its text would come with what is no UTF-8 replaced.
  await app.register(multipart, { isPartAFile: () => true })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request, staging, pauseMilliseconds)
  })
}

/** The text of a body. Throws 400. */
export const textOf = (bytes: Buffer) => decodeUtf8(bytes, 'The body')

/** Reads an urlencoded body. Throws 400. */
export function parseForm(text: string): Params {
  // `curl -d` sends whatever it is given as a form.
  if (/^\s*[[{]/.test(text)) {
    throw malformed(
      'The body looks like JSON, and its Content-Type says that it is a form: send it with Content-Type: application/json.',
    )
  }
  return parseParams(text)
}

async function parseJson(_request: unknown, bytes: Buffer): Promise<unknown> {
  const text = textOf(bytes)
  if (text.trim() === '') return undefined
  const body = readJson(text)
  refuseVast(body)
  return body
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(`The body is not valid JSON${placeIn(error as Error)}.`)
  }
}

/** Where the fault is, as far as the engine says; its own words would repeat what was sent. */
function placeIn({ message }: Error): string {
  if (message.startsWith('Unexpected end')) return ': it ends too early'
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? []
  return line === undefined ? '' : ` at line ${line}, column ${column}`
}
