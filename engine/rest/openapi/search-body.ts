import type { Resource } from '../declare/declaration.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Components } from './document.ts'
import { everywhereOf, PAGE_NUMBER, PAGE_SIZE, selectionOf, sortOf } from './list-parameters.ts'

export function searchBody(components: Components, resource: Resource): JsonSchema {
  const schema = components.refer('schemas', `${resource.singular}_search`, () => {
    const { filter, range, search } = selectionOf(components.registry, resource)
    const properties = {
      query: memberOf(everywhereOf(resource)),
      filter: objectOf(filter, 'Only records of which all of this is so; several values as a list, or with commas.'),
      range: objectOf(range, 'Only records that lie within all of this; both ends with a comma between.', textOf),
      search: objectOf(search, 'Words that are sought in one field; as a text, `in:<field> words`.'),
      sort: textOf(sortOf(components.registry, resource)),
      page: objectOf({ number: { schema: PAGE_NUMBER }, size: { schema: PAGE_SIZE } }, 'Which page.'),
    }
    return { type: 'object', properties, description: 'What is sought; all of it is optional.' }
  })
  return {
    required: false,
    content: { 'application/json': { schema }, 'application/x-www-form-urlencoded': { schema, encoding: NESTED } },
  }
}

const NESTED = Object.fromEntries(
  ['filter', 'range', 'search', 'page'].map((name) => [name, { style: 'deepObject', explode: true }]),
)

type Parts = Readonly<Record<string, JsonSchema>>

const objectOf = (parts: Parts, description: string, member = memberOf): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(parts).map(([name, parameter]) => [name, member(parameter)])),
  description,
})

/** Returns the value of a parameter in a body: one value, or a list if there may be several. */
function memberOf({ schema, description }: JsonSchema): JsonSchema {
  const value = schema?.type === 'array' ? { anyOf: [schema.items ?? {}, schema] } : schema
  return { ...value, ...(description === undefined ? {} : { description }) }
}

const textOf = ({ description }: JsonSchema): JsonSchema => ({ type: 'string', description })
