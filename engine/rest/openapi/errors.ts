import { JSON_API } from '../../http/media-types.ts'
import { objectSchema } from '../declare/fields/computed.ts'
import type { Content, JsonSchema } from '../declare/fields/kinds.ts'
import type { Components, Reference } from './document.ts'
import { EVERYWHERE, type HeaderName, headersOf, RATES } from './headers.ts'
import { errorDocument } from './json-api.ts'

type Refused = { readonly name: string; readonly description: string; readonly headers?: readonly HeaderName[] }

const REFUSED = {
  400: {
    name: 'BadRequest',
    description: 'The request is malformed, or names a field or a value that does not exist.',
  },
  401: {
    name: 'Unauthorized',
    description: 'No access token was sent, or it is invalid, expired or revoked.',
    headers: ['WWW-Authenticate'],
  },
  403: {
    name: 'Forbidden',
    description:
      'The application lacks a role, or the token a scope, for the request or for what it includes; the message names it.',
    headers: ['WWW-Authenticate'],
  },
  404: { name: 'NotFound', description: 'There is no such record, or no record above it.' },
  405: { name: 'MethodNotAllowed', description: 'The path has no such method.', headers: ['Allow'] },
  406: { name: 'NotAcceptable', description: 'Accept has the media type of JSON:API with other parameters only.' },
  409: {
    name: 'Conflict',
    description:
      'A request with the same Idempotency-Key is still running, or a JSON:API document has another type or id than the address.',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The record does not meet `If-Match` or `If-None-Match`. Nothing was changed.',
  },
  413: { name: 'ContentTooLarge', description: 'The body is larger than the service accepts.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The media type of JSON:API has other parameters than ext and profile, or an extension.',
  },
  422: { name: 'UnprocessableEntity', description: 'A value breaks a rule; `errors` says which, field by field.' },
  429: { name: 'TooManyRequests', description: "The application's rate is used up.", headers: ['Retry-After'] },
  500: { name: 'InternalServerError', description: 'Something went wrong in the service.' },
  503: { name: 'ServiceUnavailable', description: 'The database is away for a moment.', headers: ['Retry-After'] },
} as const satisfies Readonly<Record<number, Refused>>

export type RefusedStatus = keyof typeof REFUSED

/** Errors of every request below `/v2` with a token. */
export const ALWAYS: readonly RefusedStatus[] = [400, 401, 406, 415, 429, 500, 503]

export const refusals = (components: Components, statuses: readonly RefusedStatus[]): Record<string, Reference> =>
  Object.fromEntries(statuses.map((status) => [status, refusal(components, status)]))

export function refusal(components: Components, status: RefusedStatus): Reference {
  const { name, description, headers = [] }: Refused = REFUSED[status]
  return components.refer('responses', name, () => ({
    description,
    headers: headersOf(components, [...EVERYWHERE, ...RATES, ...headers]),
    content: bothContents(
      status === 422 ? validationError(components) : errorSchema(components),
      errorDocument(components),
    ),
  }))
}

/** Schema of every error except those of the OAuth endpoints. */
export const errorSchema = (components: Components): Reference =>
  components.refer('schemas', 'Error', () => ({ ...objectSchema(ERROR), description: 'Why a request was refused.' }))

const ERROR: Readonly<Record<string, JsonSchema>> = {
  error: { type: 'string', description: 'The kind of refusal, mostly the text of the status.' },
  message: { type: 'string', description: 'What is wrong, and what would be right.' },
}

const validationError = (components: Components): Reference =>
  components.refer('schemas', 'ValidationError', () => ({
    ...objectSchema({
      ...ERROR,
      errors: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string' } },
        description: 'Field → what is wrong with it; `base` where no single field is at fault.',
      },
    }),
    description: 'Why values were refused.',
  }))

export const bothContents = (plain: JsonSchema, document: JsonSchema): Content => ({
  ...jsonContent(plain),
  [JSON_API]: { schema: document },
})

export const jsonContent = (schema: JsonSchema): Content => ({ 'application/json': { schema } })
