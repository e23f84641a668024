import type { Resource } from '../declare/declaration.ts'
import { objectSchema } from '../declare/fields/computed.ts'
import { withMeaning } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import { Shapes } from '../json-api/shapes.ts'
import type { Components, Reference } from './document.ts'
import { meaningOf } from './meaning.ts'

export type Answered = 'one' | 'page' | 'several' | 'meta'

export function documentSchema(components: Components, answered: Answered, resource: Resource): JsonSchema {
  const typed = { properties: { type: { const: resource.name }, attributes: attributesOf(components, resource) } }
  switch (answered) {
    case 'one':
      return narrowed(oneDocument(components), typed)
    case 'page':
      return narrowed(pageDocument(components), { items: typed })
    case 'several':
      return narrowed(severalDocument(components), { items: typed })
    case 'meta':
      return metaDocument(components)
  }
}

/** Returns the schema of a written document. `several` is a list of resource objects. */
export function writtenSchema(components: Components, type: string, isNew: boolean, several: boolean): JsonSchema {
  const object = components.refer('schemas', isNew ? 'JsonApiNew' : 'JsonApiChange', () => ({
    ...objectSchema({ ...RESOURCE, relationships: MEMBERS, ...(isNew ? { lid: TEXT } : {}), meta: MEMBERS }),
    required: isNew ? ['type'] : ['type', 'id'],
    description: isNew
      ? 'A resource object to create, with the attributes and relationships of the resource.'
      : 'What is to change of a record.',
  }))
  const typed = { allOf: [object, { properties: { type: { const: type } } }] }
  return { type: 'object', properties: { data: several ? { type: 'array', items: typed } : typed }, required: ['data'] }
}

export const errorDocument = (components: Components): Reference =>
  components.refer('schemas', 'JsonApiErrors', () => ({
    ...objectSchema({ jsonapi: VERSION, errors: { type: 'array', minItems: 1, items: ERROR } }),
    description: 'Why a request was refused, one error for each fault.',
  }))

/** The representation and `fields[type]` decide which attributes are present. */
const attributesOf = (components: Components, resource: Resource): Reference =>
  components.refer('schemas', `JsonApi.${resource.name}`, () => ({
    type: 'object',
    properties: Object.fromEntries(
      new Shapes(components.registry)
        .attributesOf(resource)
        .map(({ name, from }) => [name, withMeaning({}, meaningOf(components.registry, resource, from))]),
    ),
    description: 'The attributes of a record.',
  }))

const TEXT: JsonSchema = { type: 'string' }
const URI: JsonSchema = { type: 'string', format: 'uri' }
const MEMBERS: JsonSchema = { type: 'object' }
const VERSION: JsonSchema = objectSchema({ version: { type: 'string', const: '1.1' } })
const IDENTIFIER: JsonSchema = objectSchema({ type: TEXT, id: TEXT })
const RESOURCE: Readonly<Record<string, JsonSchema>> = { type: TEXT, id: TEXT, attributes: MEMBERS }

const optional = (schema: JsonSchema, required: readonly string[]): JsonSchema => ({ ...schema, required })

const SOURCE: JsonSchema = {
  type: 'object',
  properties: {
    pointer: { type: 'string', description: 'The place in the document (RFC 6901).' },
    parameter: { type: 'string', description: 'The query parameter.' },
    header: { type: 'string', description: 'The header.' },
  },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
}

const ERROR: JsonSchema = optional(
  objectSchema({
    status: { type: 'string', pattern: '^[45][0-9]{2}$' },
    code: TEXT,
    title: TEXT,
    detail: { type: 'string', description: 'What is wrong, and what would be right.' },
    source: SOURCE,
    meta: objectSchema({ field: TEXT }),
    links: objectSchema({ about: URI }),
  }),
  ['status', 'code', 'title', 'detail'],
)

const RELATIONSHIP: JsonSchema = {
  type: 'object',
  properties: {
    links: objectSchema({ related: URI }),
    data: { anyOf: [{ type: 'null' }, IDENTIFIER, { type: 'array', items: IDENTIFIER }] },
    meta: objectSchema({ invisible: { type: 'boolean', const: true } }),
  },
  minProperties: 1,
  additionalProperties: false,
}

const resourceObject = (components: Components): Reference =>
  components.refer('schemas', 'JsonApiResource', () => ({
    ...optional(
      objectSchema({
        ...RESOURCE,
        relationships: { type: 'object', additionalProperties: RELATIONSHIP },
        links: objectSchema({ self: URI }),
      }),
      ['type', 'id'],
    ),
    description:
      'A record: its attributes and relationships have the names of the plain fields, without question marks.',
  }))

const oneDocument = (components: Components): Reference =>
  components.refer('schemas', 'JsonApiDocument', () => ({
    ...documentOf(components, resourceObject(components), objectSchema({ self: URI })),
    description: 'A document of one record.',
  }))

const severalDocument = (components: Components): Reference =>
  components.refer('schemas', 'JsonApiDocuments', () => ({
    ...documentOf(components, { type: 'array', items: resourceObject(components) }, objectSchema({ self: URI })),
    description: 'A document of several records.',
  }))

function pageDocument(components: Components): Reference {
  const maybe = { type: ['string', 'null'], format: 'uri' }
  const links = objectSchema({ self: URI, first: URI, last: URI, prev: maybe, next: maybe })
  const count = { type: 'integer', minimum: 0 }
  return components.refer('schemas', 'JsonApiPage', () => {
    const { properties, ...document } = documentOf(
      components,
      { type: 'array', items: resourceObject(components) },
      links,
    )
    return {
      ...document,
      properties: { ...properties, meta: objectSchema({ total: count, page: count, per_page: count }) },
      required: [...document.required, 'meta'],
      description: 'A page of records.',
    }
  })
}

const metaDocument = (components: Components): Reference =>
  components.refer('schemas', 'JsonApiMeta', () => ({
    ...objectSchema({
      jsonapi: VERSION,
      links: objectSchema({ self: URI }),
      meta: { type: 'object', minProperties: 1 },
    }),
    description: 'An answer that is no record, under the name of what was asked for.',
  }))

const documentOf = (components: Components, data: JsonSchema, links: JsonSchema) => ({
  type: 'object',
  properties: {
    jsonapi: VERSION,
    links,
    data,
    included: { type: 'array', items: resourceObject(components), description: 'What `include` leads to.' },
  },
  required: ['jsonapi', 'links', 'data'],
  additionalProperties: false,
})

const narrowed = (document: Reference, data: JsonSchema): JsonSchema => ({
  allOf: [document, { properties: { data } }],
})
