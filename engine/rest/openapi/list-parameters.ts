import type { Resource } from '../declare/declaration.ts'
import { punctuated } from '../declare/fields/field.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { CustomFilter } from '../declare/filters.ts'
import type { Registry } from '../declare/registry.ts'
import type { Components, Reference } from './document.ts'
import { meaningOf } from './meaning.ts'
import { partName } from './names.ts'

/** Returns the parameters of a list (spec: lists 1, 2, 3, 6, 10). */
export function listParameters(components: Components, resource: Resource): Reference[] {
  return [
    sortParameter(components, resource),
    ...selectionParameters(components, resource),
    ...pageParameters(components),
  ]
}

export const pageParameters = (components: Components): Reference[] =>
  PAGE.map((parameter) => components.refer('parameters', parameter.name.replace(/\W(\w+)\W/, '.$1'), () => parameter))

/** Returns the parameters `filter[…]`, `range[…]` and `search[…]`. */
export function selectionParameters(components: Components, resource: Resource): Reference[] {
  const members = Object.entries(selectionOf(components.registry, resource)).flatMap(([name, parts]) =>
    Object.entries(parts).map(([member, parameter]) =>
      components.refer('parameters', partName(resource.name, name, member), () => ({
        name: `${name}[${member}]`,
        in: 'query',
        ...parameter,
      })),
    ),
  )
  const isSearchable = Object.keys(resource.index.search ?? {}).length > 0
  return [...members, ...(isSearchable ? [plainSearch(components, resource)] : [])]
}

type Parts = Readonly<Record<string, JsonSchema>>

/** Returns filters, ranges and searches by field, as parameters without names. */
export function selectionOf(
  registry: Registry,
  resource: Resource,
): Readonly<Record<'filter' | 'range' | 'search', Parts>> {
  const { sort, filter = sort, range = sort, customFilters = {}, search = {} } = resource.index
  const about = (name: string, parameter: JsonSchema) => {
    const meaning = meaningOf(registry, resource, name)
    return meaning ? { ...parameter, description: `${punctuated(meaning)} ${parameter.description}` } : parameter
  }
  const plain = filter.filter((name) => !Object.hasOwn(customFilters, name))
  return {
    filter: Object.fromEntries([
      ...plain.map((name) => [name, about(name, filterOf(resource, name))] as const),
      ...Object.entries(customFilters).map(([name, custom]) => [name, customFilterOf(name, custom)] as const),
    ]),
    range: Object.fromEntries(range.map((name) => [name, about(name, rangeOf(resource, name))])),
    search: Object.fromEntries(Object.entries(search).map(([name, columns]) => [name, searchOf(columns)])),
  }
}

const sortParameter = (components: Components, resource: Resource): Reference =>
  components.refer('parameters', partName(resource.name, 'sort'), () => ({
    name: 'sort',
    in: 'query',
    ...sortOf(components.registry, resource),
  }))

/** Returns `sort` as a parameter without its name. */
export function sortOf(registry: Registry, resource: Resource): JsonSchema {
  const { index } = resource
  return {
    description: ['Fields to sort by, the first one first; descending with a minus sign.', ...meanings()].join('\n'),
    ...separatedByCommas({
      type: 'array',
      items: { type: 'string', enum: index.sort.flatMap((field) => [field, `-${field}`]) },
      default: index.defaultSort,
    }),
  }

  function meanings(): string[] {
    const listed = index.sort.flatMap((field) => {
      const meaning = meaningOf(registry, resource, field)
      return meaning ? [`- \`${field}\`: ${meaning}`] : []
    })
    return listed.length > 0 ? ['', ...listed] : []
  }
}

/** Matches the text that ends the description of every filter and range, after the meaning of the field. */
export const OF_EVERY_FIELD = /Only records whose `.+` (is one of these values|lies between both values).*$/

const filterOf = (resource: Resource, name: string): JsonSchema => ({
  description: `Only records whose \`${name}\` is one of these values; an empty one stands for null.`,
  ...separatedByCommas({ type: 'array', items: kindSchema(resource, name) }),
})

const customFilterOf = (name: string, { kind: { schema }, description }: CustomFilter): JsonSchema =>
  schema.type === 'boolean'
    ? { description: `Only records ${description ?? `that are \`${name}\``}; with \`false\` only the others.`, schema }
    : {
        description: `Only records ${description ?? `that are tied to one of these by \`${name}\``}; an empty one stands for none.`,
        ...separatedByCommas({ type: 'array', items: schema }),
      }

const rangeOf = (resource: Resource, name: string): JsonSchema => ({
  description: `Only records whose \`${name}\` lies between both values, or is one of them; either may be left empty.`,
  ...separatedByCommas({ type: 'array', items: kindSchema(resource, name), minItems: 2, maxItems: 2 }),
})

const searchOf = (columns: readonly string[]): JsonSchema => ({
  description: `Only records that hold each word of this text, in any case and with any accents, in ${columns.map((column) => `\`${column}\``).join(' or ')}.`,
  schema: { type: 'string', maxLength: 255 },
})

const plainSearch = (components: Components, resource: Resource): Reference =>
  components.refer('parameters', partName(resource.name, 'search'), () => ({
    name: 'search',
    in: 'query',
    ...everywhereOf(resource),
  }))

/** Returns `search` over all fields, as a parameter without its name. */
export const everywhereOf = ({ index: { search = {} } }: Resource): JsonSchema =>
  searchOf([...new Set(Object.values(search).flat())])

const kindSchema = (resource: Resource, name: string): JsonSchema => resource.stored(name)?.kind.schema ?? {}

const separatedByCommas = (schema: JsonSchema): JsonSchema => ({ style: 'form', explode: false, schema })

export const PAGE_SIZE: JsonSchema = { type: 'integer', minimum: 1, maximum: 100, default: 30 }
export const PAGE_NUMBER: JsonSchema = { type: 'integer', minimum: 1, default: 1 }

const PAGE = [
  {
    name: 'page',
    in: 'query',
    description: 'The number of the page, where `page[number]` does not say it.',
    schema: PAGE_NUMBER,
  },
  { name: 'page[number]', in: 'query', description: 'The number of the page.', schema: PAGE_NUMBER },
  {
    name: 'per_page',
    in: 'query',
    description: 'How many records a page has, where `page[size]` does not say it; 100 where more are asked for.',
    schema: PAGE_SIZE,
  },
  {
    name: 'page[size]',
    in: 'query',
    description: 'How many records a page has; 100 where more are asked for.',
    schema: PAGE_SIZE,
  },
] as const
