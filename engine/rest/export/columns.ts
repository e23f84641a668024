import type { Resource } from '../declare/declaration.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { representationSchema } from '../represent/representation.ts'

export type Column = {
  /** Path joined by dots: `user.login`. */
  readonly name: string
  readonly path: readonly string[]
  /** The column holds only the text that replaces a hidden object, such as "invisible". */
  readonly isBesideParts: boolean
}

/**
 * Returns a column for each value of a record, at any depth. A list, or an object without declared members, is one
 * column.
 */
export function columnsOf(registry: Registry, resource: Resource, representation: string): readonly Column[] {
  const names = [...new Set(pathsWithin(registry, [], embedded(resource.name, representation), []))]
  const holders = new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))))
  return names.map((name) => ({ name, path: name.split('.'), isBesideParts: holders.has(name) }))
}

const embedded = (resource: string, representation: string): JsonSchema => ({ embedded: [resource, representation] })

function pathsWithin(
  registry: Registry,
  path: readonly string[],
  schema: JsonSchema,
  around: readonly string[],
): string[] {
  const own = path.join('.')
  if (schema.embedded) {
    const [name, representation] = schema.embedded
    const key = `${name}/${representation}`
    if (around.includes(key)) return [own]
    const whole = representationSchema(registry.get(name), representation, embedded)
    return pathsWithin(registry, path, whole, [...around, key])
  }
  const choices = schema.anyOf
  if (choices) {
    const said = choices.filter((choice) => !isNothing(choice))
    return said.flatMap((choice) => pathsWithin(registry, path, choice, around)).toSorted(shallowFirst(own))
  }
  const { properties } = schema
  if (!properties) return [own]
  return Object.entries(properties).flatMap(([name, part]) => pathsWithin(registry, [...path, name], part, around))
}

const isNothing = ({ type, maxProperties }: JsonSchema) => type === 'null' || maxProperties === 0

/** A replacement such as "invisible" comes before the values of the object. */
const shallowFirst = (own: string) => (one: string, other: string) => Number(other === own) - Number(one === own)
