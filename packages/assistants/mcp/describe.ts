import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { Components } from '@campus/engine/rest/openapi/document'
import { everywhereOf, selectionOf, sortOf } from '@campus/engine/rest/openapi/list-parameters'
import { requestBodyOf } from '@campus/engine/rest/openapi/payloads'
import { representationReference } from '@campus/engine/rest/openapi/responses'
import { accessOf, type Place, type Places, whereOf } from './places.ts'

export const ASPECTS = ['fields', 'lists', 'filters', 'graphs', 'writing', 'actions'] as const

export type Aspect = (typeof ASPECTS)[number]

type Described = Readonly<Record<string, unknown>>

/** Describes aspects of a resource by its declaration. */
export function describeResource(
  registry: Registry,
  places: Places,
  name: string,
  aspects: readonly Aspect[],
): Described {
  const resource = registry.get(name)
  const all = places.of(name)
  const components = new Components(registry)
  const make: Readonly<Record<Aspect, () => Described>> = {
    fields: () => ({ fields: fieldsOf(components, representationReference(components, resource, 'record')) }),
    lists: () => ({
      lists: all.filter(({ verb }) => verb === 'list').map(shownPlace),
      records: all.filter(({ verb }) => verb === 'read').map(shownPlace),
      parts: all.filter(({ verb }) => verb === 'part').map((place) => ({ part: place.name, ...shownAction(place) })),
    }),
    filters: () => {
      const { filter, range, search } = selectionOf(registry, resource)
      const { default: defaultSort, items } = sortOf(registry, resource).schema ?? {}
      const isSearchable = Object.keys(search).length > 0
      return {
        filter: described(filter),
        range: Object.keys(range),
        sort: (items?.enum ?? []).filter((field) => !String(field).startsWith('-')),
        default_sort: defaultSort,
        ...(isSearchable && { search: { ...described(search), '(a text alone)': everywhereOf(resource).description } }),
      }
    },
    graphs: () => {
      const { graph } = resource
      const where = all.filter(({ verb }) => verb === 'graph').map(whereOf)
      return graph ? { graph: { fields: graph.fields, default: graph.default, where } } : {}
    },
    writing: () => ({
      create: writingOf(components, all, 'create'),
      update: writingOf(components, all, 'update'),
      delete: all.filter(({ verb }) => verb === 'delete').map(shownPlace),
    }),
    actions: () => ({
      actions: all
        .filter(({ verb }) => verb === 'perform')
        .map((place) => ({ action: place.name, ...shownAction(place), payload: payloadOf(components, place) })),
    }),
  }
  const { summary, identifiedBy } = resource
  const parts = aspects.map((aspect) => make[aspect]())
  return Object.assign({ resource: name, summary, id: identifiedBy ? `id or ${identifiedBy}` : 'id' }, ...parts)
}

const shownPlace = (place: Place) => ({ where: whereOf(place), needs: accessOf(place), ...parametersOf(place) })

const shownAction = (place: Place) => ({
  ...(place.route.description && { about: place.route.description }),
  where: whereOf(place),
  ...(!place.route.path.includes('/:id') && { id: 'none' }),
  needs: accessOf(place),
  ...parametersOf(place),
})

function parametersOf({ route: { parameters = {} } }: Place): Described {
  const entries = Object.entries(parameters)
  if (entries.length === 0) return {}
  return {
    parameters: Object.fromEntries(
      entries.map(([name, { description, kind }]) => [name, description ?? kind.schema.type]),
    ),
  }
}

/** Describes parameters without the sentence that is the same for every filter. */
const described = (parts: Readonly<Record<string, JsonSchema>>) =>
  Object.fromEntries(
    Object.entries(parts).map(([name, { description, schema }]) => {
      const text = String(description).replace(
        /Only records whose `.+` is one of these values; an empty one stands for null\./,
        '',
      )
      return [name, `${typeText(schema ?? {})}${text.trim() === '' ? '' : `: ${text.trim()}`}`]
    }),
  )

function writingOf(components: Components, places: readonly Place[], verb: 'create' | 'update') {
  const there = places.filter((place) => place.verb === verb)
  const [first] = there
  if (!first) return []
  return [
    {
      where: there.map((place) => ({ where: whereOf(place), needs: accessOf(place) })),
      values: payloadOf(components, first),
    },
  ]
}

/** Describes the fields of a payload without its wrapper, which the tools add. */
function payloadOf(components: Components, { route }: Place): Described | undefined {
  const schema = requestBodyOf(components, route)?.content?.['application/json']?.schema
  if (!schema) return undefined
  const resolved = resolve(components, schema)
  const wrapper = route.action === 'bulk' ? route.resource.name : route.resource.singular
  const inner = resolved.properties?.[wrapper]
  const record = resolve(components, inner?.items ?? inner ?? resolved)
  const parts = Object.values(record.properties ?? {}).flatMap(({ items, $ref }) => items?.$ref ?? $ref ?? [])
  const described = parts.map((part) => [nameIn(String(part)), fieldsOf(components, { $ref: part })] as const)
  return { ...fieldsOf(components, record), ...(described.length > 0 && { '(parts)': Object.fromEntries(described) }) }
}

/** Returns type and meaning by field. */
function fieldsOf(components: Components, schema: JsonSchema): Described {
  const resolved = resolve(components, schema)
  const { properties = {}, required = [] } = resolved
  const names: readonly unknown[] = [required].flat()
  const isPayload = !('additionalProperties' in resolved) || names.length < Object.keys(properties).length
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const meaning = property.description === undefined ? '' : `: ${property.description}`
      const isRequired = isPayload && names.includes(name) ? ', required' : ''
      return [name, `${typeText(property)}${isRequired}${meaning}`]
    }),
  )
}

function resolve(components: Components, schema: JsonSchema): JsonSchema {
  if (typeof schema.$ref !== 'string') return schema
  return components.sections.schemas?.[nameIn(schema.$ref)] ?? {}
}

const nameIn = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1)

const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'time', date: 'date', uri: 'address' }

function typeText(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return nameIn(schema.$ref)
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(' or ')
  if (schema.enum) return `one of ${schema.enum.map(String).join(', ')}`
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {})}`
  const types = [schema.type].flat().filter((type) => type !== undefined)
  const format = FORMATS[String(schema.format)]
  const named = types.map((type) => (type === 'string' ? (format ?? 'text') : String(type)))
  const bounds = typeof schema.maxLength === 'number' ? `, at most ${schema.maxLength} characters` : ''
  return `${named.join(' or ') || 'anything'}${bounds}`
}
