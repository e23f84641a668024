import { EVENT_STREAM, STREAM_TYPES } from '../../http/stream-types.ts'
import type { Resource } from '../declare/declaration.ts'
import type { Content, JsonSchema } from '../declare/fields/kinds.ts'
import { schemaName } from '../declare/registry.ts'
import { representationSchema } from '../represent/representation.ts'
import { type ActionName, isDoneAnew, type Route } from '../route-table.ts'
import type { Components, Reference } from './document.ts'
import { ALWAYS, bothContents, type RefusedStatus, refusals } from './errors.ts'
import { EVERYWHERE, type HeaderName, headersOf, optionalETag, RATES } from './headers.ts'
import { type Answered, documentSchema } from './json-api.ts'
import { meaningOf } from './meaning.ts'
import { partName } from './names.ts'

type Responses = Readonly<Record<string, Reference>>

export function responsesOf(components: Components, route: Route): Responses {
  return { ...successes(components, route), ...refusals(components, refusedStatuses(route)) }
}

function successes(components: Components, route: Route): Responses {
  const { resource, action, representation = resource.answers?.show ?? 'record', note = '' } = route
  const schema = () => representationReference(components, resource, representation)
  const about = () => route.schema?.(referrer(components)) ?? {}
  const several = () => ({ type: 'array', items: schema() })
  const name = schemaName(resource, representation)
  const noun = resource.singular
  const respond = (
    part: string,
    description: string,
    headers: readonly HeaderName[],
    body?: () => JsonSchema,
    answered: Answered = 'one',
    further: Content = {},
  ) =>
    components.refer('responses', part, () => ({
      description,
      headers: headersOf(components, [...EVERYWHERE, ...RATES, 'X-Unknown-Parameters', ...headers]),
      ...(body ? { content: { ...bothContents(body(), document(answered)), ...further } } : {}),
    }))
  const document = (answered: Answered) => documentSchema(components, answered, resource)
  const notModified = () => respond('NotModified', 'What `If-None-Match` names is still the latest.', ['ETag'])
  const noContent = () => respond('NoContent', 'Done.', [])
  const createdSeveral = () => ({
    201: respond(`${name}.several`, 'The new records.', ['Idempotent-Replayed'], several, 'several'),
  })

  switch (action) {
    case 'index':
      return {
        200: components.refer('responses', `${name}.list`, () => listResponse(components, several(), document('page'))),
        304: notModified(),
      }
    case 'search':
      return { 200: respond(`${name}.page`, 'A page of records.', [...PAGING, 'ETag'], several, 'page') }
    case 'show':
    case 'owner':
      return { 200: respond(`${name}.record`, `The ${noun}.`, ['ETag'], schema, 'one', CHANGES), 304: notModified() }
    case 'graph':
      return {
        200: respond('Counts', 'Counts of records by time.', ['ETag', ...STALE], () => countsSchema, 'meta'),
        304: notModified(),
      }
    case 'query':
      return {
        200: respond(partName(resource.name, 'about', note), `What it says of the ${noun}.`, ['ETag'], about, 'meta'),
        304: notModified(),
      }
    case 'bulk':
      return createdSeveral()
    case 'create':
      if (route.isSeveral) return createdSeveral()
      return {
        201: respond(`${name}.created`, `The new ${noun}.`, ['Location', 'Idempotent-Replayed'], () =>
          route.oneTimeValues ? withOneTimeValues(components, resource, representation, route.oneTimeValues) : schema(),
        ),
      }
    case 'update':
      return {
        200: respond(`${name}.updated`, `The ${noun} as it is now.`, ['ETag', 'Preference-Applied'], schema),
        204: noContent(),
      }
    case 'member':
      return route.schema
        ? { 200: respond(partName(resource.name, 'after', note), 'What came of it.', [], about, 'meta') }
        : { 204: noContent() }
    default:
      return { 204: noContent() }
  }
}

/** Response of a watched list or record (spec: streams 1). */
const CHANGES: Content = {
  [EVENT_STREAM]: { schema: { type: 'string', description: 'Changes as they come, as Server-Sent Events.' } },
}

const listResponse = (components: Components, records: JsonSchema, document: JsonSchema): JsonSchema => ({
  description: 'A page of records; as CSV or NDJSON, all of them; as a stream of events, what becomes of them.',
  headers: {
    ...headersOf(components, [...EVERYWHERE, ...RATES, 'X-Unknown-Parameters', ...PAGING, ...STALE]),
    ETag: optionalETag(components),
  },
  content: {
    ...bothContents(records, document),
    [STREAM_TYPES.csv]: { schema: { type: 'string', description: 'The whole list as a table (RFC 4180).' } },
    [STREAM_TYPES.ndjson]: {
      schema: { type: 'string', description: 'The whole list, on each line a record as JSON.' },
    },
    ...CHANGES,
  },
})

function withOneTimeValues(
  components: Components,
  resource: Resource,
  representation: string,
  oneTimeValues: Readonly<Record<string, string>>,
): JsonSchema {
  const record = describedSchema(components, resource, representation)
  const texts = Object.entries(oneTimeValues).map(
    ([name, description]) => [name, { type: ['string', 'null'], description }] as const,
  )
  return {
    ...record,
    properties: { ...record.properties, ...Object.fromEntries(texts) },
    required: [...[record.required].flat(), ...Object.keys(oneTimeValues)],
  }
}

const countsSchema: JsonSchema = {
  type: 'object',
  additionalProperties: { type: 'integer', minimum: 0 },
  description: 'Time → number of records; empty where there is no record at all.',
}

const STALE: readonly HeaderName[] = ['Preference-Applied', 'Age']

const PAGING: readonly HeaderName[] = ['X-Page', 'X-Per-Page', 'X-Total', 'Link']

/** Returns the schema of a representation. Embedded representations are components too. */
export function representationReference(components: Components, resource: Resource, representation: string): Reference {
  return components.refer('schemas', schemaName(resource, representation), () => ({
    ...describedSchema(components, resource, representation),
    description: resource.summary,
  }))
}

const describedSchema = (components: Components, resource: Resource, representation: string): JsonSchema =>
  representationSchema(resource, representation, referrer(components), (name, field) =>
    meaningOf(components.registry, resource, name, field),
  )

const referrer = (components: Components) => (name: string, representation: string) =>
  representationReference(components, components.registry.get(name), representation)

const OF_ACTION: Readonly<Record<ActionName, readonly RefusedStatus[]>> = {
  index: [],
  show: [],
  owner: [404],
  graph: [422],
  search: [413],
  query: [404],
  create: [409, 413, 422],
  bulk: [409, 413, 422],
  update: [409, 412, 413, 422],
  destroy: [412, 413, 422],
  member: [412, 413, 422],
}

function refusedStatuses(route: Route): RefusedStatus[] {
  const { action, chain, path } = route
  const namesSomething = chain.length > 0 || path.includes('/:') || route.namedBy !== undefined
  const statuses = [
    ...ALWAYS,
    ...OF_ACTION[action],
    ...(action === 'member' && isDoneAnew(route) ? [409 as const] : []),
    // Each route needs a scope of the API.
    403 as const,
    ...(namesSomething ? [404 as const] : []),
  ]
  return statuses.sort((one, other) => one - other)
}
