import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { malformed } from '../errors.ts'
import { MAX_PARTS, readMultipart } from './multipart.ts'
import { parseParams } from './params.ts'
import type { Staging } from './staging.ts'

const MAX_BODY_BYTES = 1_048_576

/**
 * Every form of body becomes one nested value: JSON, urlencoded, multipart; an empty body is undefined. One with files
 * may pause for so many milliseconds.
 */
export async function acceptBodies(app: FastifyInstance, staging: Staging, pauseMilliseconds = 60_000): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/vnd.api+json'], { parseAs: 'string' }, parseJson)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text === '' ? undefined : parseParams(text)),
  )
  await app.register(multipart, { limits: { fieldSize: MAX_BODY_BYTES, fields: MAX_PARTS } })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request, staging, pauseMilliseconds)
  })
}

async function parseJson(_request: unknown, text: string): Promise<unknown> {
  if (text.trim() === '') return undefined
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
