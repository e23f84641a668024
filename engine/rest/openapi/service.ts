import { HEALTH_PATH, LIVE_PATH, READY_PATH } from '../../http/health.ts'
import { METRICS_PATH } from '../../http/metrics.ts'
import { objectSchema } from '../declare/fields/computed.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Components, Paths, Tag } from './document.ts'
import { errorSchema, jsonContent, refusals } from './errors.ts'
import { EVERYWHERE, headersOf, RATES } from './headers.ts'

export const OPENAPI_ROUTE = { method: 'GET', path: '/v2/openapi.json' } as const

export const INDEX_ROUTE = { method: 'GET', path: '/v2' } as const

export function serviceOperations(components: Components): { readonly tags: readonly Tag[]; readonly paths: Paths } {
  const inV2 = headersOf(components, [...EVERYWHERE, ...RATES, 'ETag'])
  const outside = headersOf(components, EVERYWHERE)
  const refused = (description: string) => ({
    description,
    headers: outside,
    content: jsonContent(errorSchema(components)),
  })
  const answersOk = (description: string) => ({
    200: { description, headers: outside, content: jsonContent(objectSchema({ status: OK })) },
    400: refused('The query is malformed.'),
  })
  const readiness = (operationId: string) => ({
    get: openOperation(operationId, 'Ask whether requests are welcome', {
      ...answersOk('They are.'),
      503: refused(
        'They are not: the service is starting (`error` is `Starting`) or stopping (`Stopping`), or its database is away (`Database Unavailable`) or busy (`Database Busy`).',
      ),
    }),
  })
  return {
    tags: [{ name: 'service', description: 'What the service says of itself.' }],
    paths: {
      [INDEX_ROUTE.path]: {
        get: openOperation('listResources', 'List the resources', {
          200: { description: 'The lists of all resources, by name.', headers: inV2, content: jsonContent(INDEX) },
          304: { description: 'What `If-None-Match` names is still the latest.', headers: inV2 },
          ...refusals(components, [400, 500]),
        }),
      },
      [OPENAPI_ROUTE.path]: {
        get: openOperation('getOpenapiDocument', 'Get this document', {
          200: { description: 'An OpenAPI 3.1 document.', headers: inV2, content: jsonContent({ type: 'object' }) },
          304: { description: 'What `If-None-Match` names is still the latest.', headers: inV2 },
          ...refusals(components, [400, 429, 500]),
        }),
      },
      [HEALTH_PATH]: readiness('getHealth'),
      [READY_PATH]: readiness('getReadiness'),
      [LIVE_PATH]: { get: openOperation('getLiveness', 'Ask whether the process answers', answersOk('It does.')) },
      [METRICS_PATH]: {
        get: {
          ...openOperation('getMetrics', 'Get metrics in the form of Prometheus', {
            200: {
              description: 'The metrics.',
              headers: outside,
              content: { 'text/plain': METRICS, 'application/openmetrics-text': METRICS },
            },
            400: refused('The query is malformed.'),
            403: refused('They are not for this caller.'),
            503: refused('The database is away.'),
          }),
          description:
            'Needs to come from the machine that the server is on or, where the operator has set a token, to present it.',
          'x-access': 'programs on the same machine, or the token of the operator',
        },
      },
    },
  }
}

const ADDRESS: JsonSchema = { type: 'string', format: 'uri' }
const INDEX = objectSchema({
  version: { type: 'string' },
  documentation: ADDRESS,
  openapi: ADDRESS,
  resources: { type: 'object', additionalProperties: ADDRESS },
})
/** Prometheus may prefer OpenMetrics by `Accept`. */
const METRICS = { schema: { type: 'string' } } as const
const OK: JsonSchema = { type: 'string', const: 'ok' }

const openOperation = (operationId: string, summary: string, responses: JsonSchema): JsonSchema => ({
  operationId,
  tags: ['service'],
  summary,
  description: 'Needs no token.',
  'x-access': 'anybody',
  security: [],
  responses,
})
