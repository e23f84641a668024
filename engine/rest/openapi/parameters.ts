import type { Resource } from '../declare/declaration.ts'
import { punctuated } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import { INTERVAL_NAMES } from '../read/graph.ts'
import { isDoneAnew, type Route } from '../route-table.ts'
import { STORED_HOURS } from '../write/idempotency.ts'
import type { Components, Reference } from './document.ts'
import { listParameters, pageParameters, selectionParameters } from './list-parameters.ts'
import { parentsOf, partName, words } from './names.ts'

export function parametersOf(components: Components, route: Route): Reference[] {
  const { resource, action } = route
  const parents = parentsOf(components.registry, route).map((parent) =>
    keyParameter(components, parent, `${parent.singular}_id`),
  )
  const own = route.path.includes('/:id') ? [keyParameter(components, resource, 'id')] : []
  const shared = (name: string) => components.refer('parameters', name, () => ({ name, ...SHARED[name] }))
  const conditional = shared('If-None-Match')
  const compound = [shared('include'), shared('fields')]
  switch (action) {
    case 'index':
      return [
        ...parents,
        ...listParameters(components, resource),
        ...ownParameters(components, route),
        ...compound,
        conditional,
      ]
    case 'graph':
      return [
        ...parents,
        ...(route.path.includes('/:field') ? [graphField(components, resource)] : []),
        ...(route.path.includes('/:interval') ? [shared('interval')] : []),
        ...selectionParameters(components, resource),
        shared('time_zone'),
        conditional,
      ]
    case 'show':
    case 'owner':
      return [...parents, ...own, ...compound, conditional]
    case 'search':
      return [...pageParameters(components), ...compound]
    case 'query':
      return [...parents, ...own, ...ownParameters(components, route), conditional]
    case 'create':
    case 'bulk':
      return [...parents, ...compound, shared('Idempotency-Key')]
    case 'update':
      return [...parents, ...own, ...compound, shared('Prefer'), shared('If-Match')]
    case 'member':
      return [...parents, ...own, ...(isDoneAnew(route) ? [shared('Idempotency-Key')] : []), shared('If-Match')]
    default:
      return [...parents, ...own, shared('If-Match')]
  }
}

function keyParameter(components: Components, resource: Resource, name: string): Reference {
  const { identifiedBy } = resource
  return components.refer('parameters', partName(resource.name, 'path', name), () => ({
    name,
    in: 'path',
    required: true,
    description: `The id${identifiedBy ? ` or ${identifiedBy}` : ''} of the ${words(resource.singular)}.`,
    schema: identifiedBy ? { type: 'string' } : { type: 'integer' },
  }))
}

const ownParameters = (components: Components, { resource, parameters = {} }: Route): Reference[] =>
  Object.entries(parameters).map(([name, { kind, description = '', required, example }]) =>
    components.refer('parameters', partName(resource.name, 'list', name), () => ({
      name,
      in: 'query',
      ...(required ? { required } : {}),
      description: punctuated(description),
      schema: kind.schema,
      ...(example === undefined ? {} : { example }),
    })),
  )

function graphField(components: Components, resource: Resource): Reference {
  return components.refer('parameters', partName(resource.name, 'path', 'field'), () => ({
    name: 'field',
    in: 'path',
    required: true,
    description: `The time to count by; without it, ${resource.graph?.default}.`,
    schema: { type: 'string', enum: resource.graph?.fields },
  }))
}

const SHARED: Readonly<Record<string, JsonSchema>> = {
  interval: {
    in: 'path',
    required: true,
    description: 'How long a stretch of time each count covers, or which part of the time it is of.',
    schema: { type: 'string', enum: INTERVAL_NAMES },
  },
  time_zone: {
    in: 'query',
    description:
      'The IANA name of the time zone in which days begin, such as `Europe/Paris`; without it that of the place in the path, or UTC.',
    schema: { type: 'string' },
  },
  include: {
    in: 'query',
    description: 'JSON:API only: the relationships whose records come along, with dots for those further on.',
    style: 'form',
    explode: false,
    schema: { type: 'array', maxItems: 20, items: { type: 'string' } },
  },
  fields: {
    in: 'query',
    description: 'JSON:API only: `fields[type]=name,name` leaves the other fields of a type out.',
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  'If-None-Match': {
    in: 'header',
    description: 'The `ETag` of what the client has already; 304 where that is still the latest.',
    schema: { type: 'string' },
  },
  'If-Match': {
    in: 'header',
    description: 'The `ETag` of the record that the client read. If the record has changed since, the response is 412.',
    schema: { type: 'string' },
  },
  'Idempotency-Key': {
    in: 'header',
    description: `A word of the client's own: the same request with the same one within ${STORED_HOURS} hours is answered again, and not done again.`,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  Prefer: {
    in: 'header',
    description: '`return=representation` asks for the record as it is afterwards: 200 instead of 204.',
    schema: { type: 'string', enum: ['return=representation', 'return=minimal'], default: 'return=minimal' },
  },
}
