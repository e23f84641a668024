import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Components, Reference } from './document.ts'

type Header = { readonly schema: JsonSchema; readonly description: string; readonly required?: boolean }

const TEXT: JsonSchema = { type: 'string' }
const COUNT: JsonSchema = { type: 'integer', minimum: 0 }

const HEADERS = {
  'X-Application-Id': {
    schema: { type: 'string', pattern: '^([0-9]+|None)$' },
    description: 'The id of the calling application, or `None` where none is known.',
    required: true,
  },
  'X-Application-Name': { schema: TEXT, description: 'Its name, percent-encoded, or `None`.', required: true },
  'X-Application-Roles': {
    schema: TEXT,
    description: 'Its roles with commas between, percent-encoded, or `None` where it has none.',
    required: true,
  },
  'X-Request-Id': {
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,128}$' },
    description: "The request's own `X-Request-Id`, or a new one; it finds the request in the service's log.",
    required: true,
  },
  'X-Runtime': {
    schema: { type: 'number', minimum: 0 },
    description: 'How long the service worked on the answer, in seconds.',
    required: true,
  },
  'X-Hourly-RateLimit-Limit': {
    schema: COUNT,
    description: 'How many requests the application may make an hour.',
    required: true,
  },
  'X-Hourly-RateLimit-Remaining': { schema: COUNT, description: 'How many of them are left.', required: true },
  'X-Secondly-RateLimit-Limit': {
    schema: COUNT,
    description: 'How many requests the application may make a second.',
    required: true,
  },
  'X-Secondly-RateLimit-Remaining': { schema: COUNT, description: 'How many of them are left.', required: true },
  'X-Page': { schema: { type: 'integer', minimum: 1 }, description: 'The number of this page.', required: true },
  'X-Per-Page': {
    schema: { type: 'integer', minimum: 1 },
    description: 'How many records a full page has.',
    required: true,
  },
  'X-Total': { schema: COUNT, description: 'How many records all pages have together.', required: true },
  'X-Unknown-Parameters': {
    schema: TEXT,
    description:
      'Parameters of the query that nobody reads here, ten at most, percent-encoded and each with the nearest known one: `per_pag;nearest=per_page`.',
  },
  Link: {
    schema: TEXT,
    description: 'The pages around this one, with the rel values "first", "prev", "next" and "last" (RFC 8288).',
  },
  ETag: {
    schema: { type: 'string', pattern: '^W/".+"$' },
    description: 'The version of what is answered, for `If-None-Match`.',
    required: true,
  },
  Location: { schema: { type: 'string', format: 'uri' }, description: 'Where the new record is.', required: true },
  'Idempotent-Replayed': {
    schema: { type: 'string', const: 'true' },
    description: 'Present where this is the first answer to the same Idempotency-Key once more.',
  },
  'Preference-Applied': {
    schema: TEXT,
    description: 'The preference that was followed (RFC 7240); JSON:API answers so without being asked.',
  },
  Age: {
    schema: COUNT,
    description: 'How many seconds old it is at most, where `Prefer: stale-ok` of the request was followed.',
  },
  'WWW-Authenticate': {
    schema: TEXT,
    description:
      'What the token lacks (RFC 6750): no more than the realm where none was sent. A missing role has none.',
  },
  'Retry-After': {
    schema: { type: 'integer', minimum: 1 },
    description: 'In how many seconds the same request may succeed.',
    required: true,
  },
  Allow: { schema: TEXT, description: 'The methods that the path has, with commas between.', required: true },
} as const satisfies Readonly<Record<string, Header>>

export type HeaderName = keyof typeof HEADERS

export const EVERYWHERE: readonly HeaderName[] = [
  'X-Application-Id',
  'X-Application-Name',
  'X-Application-Roles',
  'X-Request-Id',
  'X-Runtime',
]

export const RATES: readonly HeaderName[] = [
  'X-Hourly-RateLimit-Limit',
  'X-Hourly-RateLimit-Remaining',
  'X-Secondly-RateLimit-Limit',
  'X-Secondly-RateLimit-Remaining',
]

export const headersOf = (components: Components, names: readonly HeaderName[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, components.refer('headers', name, () => HEADERS[name])]))

/** Whole lists have no ETag, since they are made while they are sent. */
export const optionalETag = (components: Components): Reference =>
  components.refer('headers', 'ETagOfPage', () => ({
    ...HEADERS.ETag,
    description: 'The version of the page, for `If-None-Match`; a whole list has none.',
    required: false,
  }))
