import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { errorSchema, jsonContent } from '@campus/engine/rest/openapi/errors'
import { EVERYWHERE, headersOf } from '@campus/engine/rest/openapi/headers'
import type { Neighbour } from '@campus/engine/rest/openapi/openapi-document'
import { FILE_ROUTE } from './downloads.ts'

/** Describes the addresses of files in the OpenAPI document. */
export const fileOperations: Neighbour = (components) => {
  const headers = headersOf(components, EVERYWHERE)
  const refused = (description: string) => ({ description, headers, content: jsonContent(errorSchema(components)) })
  const bytes = (description: string) => ({ description, headers, content: { '*/*': {} } })
  return {
    tags: [{ name: 'files', description: 'What is attached, at the addresses that records hold.' }],
    paths: {
      [FILE_ROUTE.path.replace(/:(\w+)/g, '{$1}')]: {
        get: {
          operationId: 'getFile',
          tags: ['files'],
          summary: 'Get an attached file',
          description: 'Needs no token: the address, as a record holds it, proves itself until it expires.',
          'x-access': 'anybody with the address',
          security: [],
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'name', in: 'path', required: true, schema: TEXT },
            { name: 'expires', in: 'query', schema: { type: 'integer' }, description: 'Seconds since 1970.' },
            { name: 'signature', in: 'query', schema: TEXT },
            { name: 'Range', in: 'header', schema: TEXT, description: 'One range of bytes (RFC 9110 §14).' },
            { name: 'If-Range', in: 'header', schema: TEXT },
          ],
          responses: {
            200: bytes('The whole file.'),
            206: bytes('The part of it that `Range` asks for.'),
            304: { description: 'What `If-None-Match` names is still the latest.', headers },
            400: refused('The query is malformed.'),
            403: refused('The address was not made here, or has expired.'),
            404: refused('The file is gone.'),
            416: refused('The range begins beyond the end.'),
            500: refused('Something went wrong in the service.'),
            503: refused('The database or the storage is away for a moment.'),
          },
        },
      },
    },
  }
}

const TEXT: JsonSchema = { type: 'string' }
