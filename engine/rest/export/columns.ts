import type { Resource } from '../declare/declaration.ts'
import type { JsonSchema } from '../declare/fields/kinds.ts'
import type { Registry } from '../declare/registry.ts'
import { representationSchema } from '../represent/representation.ts'

/** A column of a table: where its value stands in a record. */
export type Column = {
  /** The names on the way to it, with points between: `user.login`. */
  readonly name: string
  readonly path: readonly string[]
  /** It holds what may stand in the place of an object, as "invisible", whose values have columns of their own. */
  readonly isBesideParts: boolean
}

/**
 * The columns of a representation. An object has a column for each of its values, at any depth; a list, and an object of
 * whatever members, has one column of its own.
 */
export function columnsOf(registry: Registry, resource: Resource, representation: string): readonly Column[] {
  const names = [...new Set(pathsWithin(registry, [], embedded(resource.name, representation), []))]
  const holders = new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))))
  return names.map((name) => ({ name, path: name.split('.'), isBesideParts: holders.has(name) }))
}

/** Stands for the schema of another representation. */
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

/** Null, or the empty object that some fields have in its place. */
const isNothing = ({ type, maxProperties }: JsonSchema) => type === 'null' || maxProperties === 0

/** A word that stands in the place of an object, such as "invisible", goes before its values. */
const shallowFirst = (own: string) => (one: string, other: string) => Number(other === own) - Number(one === own)
