import multipart from '@fastify/multipart'
import type { FastifyInstance } from 'fastify'
import { malformed } from '../errors.ts'
import { MAX_PARTS, readMultipart } from './multipart.ts'
import { parseParams } from './params.ts'
import type { Staging } from './staging.ts'

const MAX_BODY_BYTES = 1_048_576

/** Every form of body becomes one nested value: JSON, urlencoded, multipart; an empty body is undefined. */
export async function acceptBodies(app: FastifyInstance, staging: Staging): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/vnd.api+json'], { parseAs: 'string' }, parseJson)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text === '' ? undefined : parseParams(text)),
  )
  await app.register(multipart, { limits: { fieldSize: MAX_BODY_BYTES, fields: MAX_PARTS } })
  app.addHook('preValidation', async (request) => {
    if (request.isMultipart()) request.body = await readMultipart(request, staging)
  })
}

async function parseJson(_request: unknown, text: string): Promise<unknown> {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON.')
  }
}
