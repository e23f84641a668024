import { JSON_API } from '../../http/media-types.ts'
import type { Resource } from '../declare/declaration.ts'
import { objectSchema } from '../declare/fields/computed.ts'
import { type Column, orNull, type Parameter, withMeaning } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import { type Route, takesPayload } from '../route-table.ts'
import { CHOSEN_ID, takesChosenIds } from '../write/chosen-ids.ts'
import type { Components, Reference } from './document.ts'
import { writtenSchema } from './json-api.ts'
import { meaningOf } from './meaning.ts'
import { words } from './names.ts'
import { searchBody } from './search-body.ts'

const chosenIdSchema = ({ registry }: Components) =>
  withMeaning(
    orNull(columnSchema(CHOSEN_ID)),
    `Id of the new record, if the application has the role ${registry.access.chosenIds.role}. It must not be taken. The service ignores ids from other applications.`,
  )

export function requestBodyOf(components: Components, route: Route): JsonSchema | undefined {
  const { action, resource } = route
  if (action === 'search') return searchBody(components, resource)
  if (!takesPayload(route)) return undefined
  if (route.accepts) return bodyOfAction(route, route.accepts)
  const wrapper = action === 'bulk' ? resource.name : resource.singular
  const schema = payloadOf(components, route, wrapper)
  return {
    required: true,
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema, encoding: { [wrapper]: { style: 'deepObject', explode: true } } },
      'multipart/form-data': { schema },
      [JSON_API]: { schema: writtenSchema(components, resource.name, action !== 'update', action === 'bulk') },
    },
  }
}

function bodyOfAction({ resource, unwrapped }: Route, accepts: Readonly<Record<string, Parameter>>): JsonSchema {
  const required = Object.keys(accepts).filter((name) => accepts[name]?.required)
  const properties = mapValues(accepts, (column) => {
    const schema = column.required ? columnSchema(column) : orNull(columnSchema(column))
    return withMeaning(schema, column.description)
  })
  const payload = { ...objectSchema(properties), required }
  const wrapper = resource.singular
  const schema = unwrapped
    ? payload
    : { type: 'object', properties: { [wrapper]: payload }, ...(required.length > 0 ? { required: [wrapper] } : {}) }
  const encoding = { encoding: { [wrapper]: { style: 'deepObject', explode: true } } }
  return {
    required: required.length > 0,
    content: {
      'application/json': { schema },
      'application/x-www-form-urlencoded': { schema, ...(unwrapped ? {} : encoding) },
    },
  }
}

function payloadOf(components: Components, route: Route, wrapper: string): Reference {
  const { resource, action, chain } = route
  const { requires = [], extra = {} } = resource.payload ?? {}
  const creating = action !== 'update'
  // A parent in the path supplies the reference, so the payload need not contain it.
  const given = creating ? chain.filter(({ association }) => requires.some((name) => name === association)) : []
  const below = given.map(({ resource: parent }) => `_below_${components.registry.get(parent).singular}`).join('')
  return components.refer('schemas', `${resource.singular}_${action}${below}`, () => {
    const parts = Object.entries(extra).flatMap(([name, column]) => (column.required ? name : []))
    const required = creating
      ? [...requires.filter((name) => !given.some(({ association }) => association === name)), ...parts]
      : []
    const properties = {
      ...propertiesOf(components, resource, required, creating),
      ...(creating && takesChosenIds(resource) && { id: chosenIdSchema(components) }),
    }
    const record = { ...objectSchema(properties), required }
    return {
      type: 'object',
      properties: { [wrapper]: action === 'bulk' ? { type: 'array', items: record } : record },
      required: [wrapper],
      description: creating ? 'What is to be created.' : 'What is to change; what is left out stays as it is.',
    }
  })
}

function propertiesOf(components: Components, resource: Resource, required: readonly string[], creating: boolean) {
  const { accepts = [], requires = [], extra = {}, nested = {}, pointed = {}, links = {} } = resource.payload ?? {}
  const parts = Object.fromEntries(Object.entries(nested).filter(([, { atCreation }]) => creating || !atCreation))
  const stored = accepts.flatMap((name) => {
    const column = resource.stored(name)
    return column
      ? [[name, column, meaningOf(components.registry, resource, name, resource.fields[name])] as const]
      : []
  })
  const more = Object.entries(extra).map(([name, column]) => [name, column, column.description] as const)
  const columns = [...stored, ...more].map(([name, column, meaning]) => {
    // A blank field of a new record gets its default.
    const mayBeBlank = creating ? !required.includes(name) : column.nullable && !requires.includes(name)
    const schema = columnSchema(column)
    return [name, withMeaning(mayBeBlank ? orNull(schema) : schema, meaning)] as const
  })
  return {
    ...Object.fromEntries(columns),
    ...mapValues(parts, ({ resource: target, by }) => ({
      type: 'array',
      maxItems: 1000,
      items: elementOf(components, components.registry.get(target), by),
      description: `${words(target)} to create, change or remove along with it.`.replace(/^./, (letter) =>
        letter.toUpperCase(),
      ),
    })),
    ...mapValues(pointed, ({ resource: target }) => ({
      ...newOneOf(components, components.registry.get(target)),
      description: `A new ${words(components.registry.get(target).singular)} to create along with it.`,
    })),
    ...mapValues(links, ({ table }) => ({
      type: 'array',
      maxItems: 1000,
      items: { type: 'integer', minimum: 1 },
      description: `All the ids that are to be tied to the record (${table}); others are untied.`,
    })),
  }
}

function elementOf(components: Components, resource: Resource, by: string): Reference {
  return components.refer('schemas', `${resource.singular}_attributes`, () => {
    const needed = (resource.payload?.requires ?? []).filter((name) => name !== by)
    const isNamedByOther = resource.stored('id')?.column !== 'id'
    const { [by]: _owner, ...properties } = propertiesOf(components, resource, needed, true)
    return {
      ...objectSchema({
        ...properties,
        id: { type: 'integer', description: ID_OF_ELEMENT[isNamedByOther ? 'other' : 'own'] },
        _destroy: { type: 'boolean', default: false, description: 'Removes the element instead.' },
      }),
      required: [],
      description: `${resource.summary}${needed.length > 0 ? ` A new one needs ${needed.join(', ')}.` : ''}`,
    }
  })
}

const ID_OF_ELEMENT = {
  own: 'The element that is to change; without it, a new one.',
  other: 'What the element is about; it changes where it is there already, and is new where it is not.',
} as const

function newOneOf(components: Components, resource: Resource): Reference {
  return components.refer('schemas', `${resource.singular}_new`, () => {
    const required = resource.payload?.requires ?? []
    return { ...objectSchema(propertiesOf(components, resource, required, true)), required }
  })
}

const columnSchema = ({ kind, storing }: Column): JsonSchema => ({
  ...(storing?.kind ?? kind).schema,
  ...(storing ? { writeOnly: true } : {}),
})

const mapValues = <T>(values: Readonly<Record<string, T>>, map: (value: T) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
