import type { Resource } from '../declare/declaration.ts'
import type { Field } from '../declare/fields/field.ts'
import type { Registry } from '../declare/registry.ts'
import { words } from './names.ts'

/** Returns the meaning of a field in one clause, from the declaration, its name or its kind. */
export const meaningOf = (
  registry: Registry,
  resource: Resource,
  name: string,
  field: Field | undefined = resource.fields[name],
): string | undefined =>
  field?.description ?? ofName(resource)[name] ?? (field && ofKind(registry, resource, name, field))

const ofName = ({ singular }: Resource): Readonly<Record<string, string>> => ({
  id: `id of the ${words(singular)}`,
  name: `what the ${words(singular)} is called`,
  slug: 'name in addresses, which stands for the id',
  url: `address of the ${words(singular)} in this API`,
  created_at: 'when it was created',
  updated_at: 'when it was last changed',
})

/** An id with a name of its own, such as `closer_id`, needs a description. */
function ofKind(registry: Registry, { singular }: Resource, name: string, field: Field): string | undefined {
  const { stored, embeds, ids } = field
  const one = (other: string) => registry.get(other).singular
  const of = stored?.references ?? (ids?.isList ? undefined : ids?.of)
  if (of !== undefined && name === `${one(of)}_id`) {
    return `id of the ${words(one(of))}${stored?.nullable ? '; null where there is none' : ''}`
  }
  if (ids?.isList) return `ids of the ${words(ids.of)} of the ${words(singular)}`
  if (embeds?.by) return `the ${words(one(embeds.resource))} whose id is \`${embeds.by}\``
  if (embeds) return `${words(embeds.resource)} of the ${words(singular)}`
  return undefined
}
