import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { malformed } from '../errors.ts'
import { nest, parseParams, type UploadedFile } from './params.ts'

const MAX_BODY_BYTES = 1_048_576

/** Every form of body becomes one nested value: JSON, urlencoded, multipart; an empty body is undefined. */
export async function acceptBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', 'application/vnd.api+json'], { parseAs: 'string' }, parseJson)
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string) => (text === '' ? undefined : parseParams(text)),
  )
  await app.register(multipart, {
    limits: { fieldSize: MAX_BODY_BYTES, fields: 2_000, parts: 2_000, files: 20, fileSize: MAX_BODY_BYTES },
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (!request.isMultipart()) return done()
    readMultipart(request).then((body) => {
      request.body = body
      done()
    }, done)
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

async function readMultipart(request: FastifyRequest): Promise<unknown> {
  const pairs: [string, string | UploadedFile][] = []
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') pairs.push([part.fieldname, String(part.value)])
      else {
        const bytes = await part.toBuffer()
        pairs.push([part.fieldname, { filename: part.filename, mimetype: part.mimetype, bytes }])
      }
    }
  } catch (error) {
    if ((error as { statusCode?: number }).statusCode === 413) throw error
    throw malformed('The multipart body is not well formed or ends too early.')
  }
  return pairs.length === 0 ? undefined : nest(pairs)
}
