import { through } from './association.ts'
import type { Declared, DeclaredParent, Links, Nested, Parent, Resource } from './declaration.ts'

type Associated = Omit<Declared, 'parents' | 'payload'> & Pick<Resource, 'parents' | 'payload'>

/** A declaration with what follows from its associations filled in. Throws where one of them names what is not there. */
export function withAssociations({ fields, parents, payload, ...declaration }: Declared): Associated {
  const { name: resource, singular } = declaration
  const resolved = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.within?.(name, { resource, singular, fields }) ?? field,
    ]),
  )
  return {
    ...declaration,
    fields: resolved,
    ...(parents && { parents: parents.map((parent) => parentOf(resource, resolved, parent)) }),
    ...(payload && { payload: payloadOf(declaration, payload) }),
  }
}

const parentOf = (name: string, fields: Declared['fields'], { chain, ...parent }: DeclaredParent): Parent => ({
  ...parent,
  chain: chain.map(({ resource, association }) => ({
    resource,
    association: association ?? referenceTo(name, fields, resource),
  })),
})

/** The column that refers to the other resource. */
function referenceTo(name: string, fields: Declared['fields'], other: string): string {
  const columns = Object.entries(fields).flatMap(([field, { stored }]) =>
    stored?.references === other ? [stored.column ?? field] : [],
  )
  const [column] = columns
  if (column === undefined) throw new Error(`${name} lies under ${other}, but has no column that refers to it`)
  if (columns.length > 1) throw new Error(`${name} refers to ${other} by ${columns.join(' and ')}: say which it is`)
  return column
}

function payloadOf(
  { name, singular }: Pick<Declared, 'name' | 'singular'>,
  { nested, links, ...payload }: NonNullable<Declared['payload']>,
): NonNullable<Resource['payload']> {
  return {
    ...payload,
    ...(nested && { nested: mapped(nested, (target): Nested => ({ ...target, by: target.by ?? `${singular}_id` })) }),
    ...(links && { links: mapped(links, (joined): Links => linksOf(name, joined)) }),
  }
}

function linksOf(name: string, joined: NonNullable<NonNullable<Declared['payload']>['links']>[string]): Links {
  const others = Object.keys(joined.keys).filter((one) => one !== name)
  const [resource = ''] = others
  if (!Object.hasOwn(joined.keys, name)) throw new Error(`${joined.table} joins ${others.join(' and ')}, not ${name}`)
  return { ...through(joined, resource), resource }
}

const mapped = <T, U>(entries: Readonly<Record<string, T>>, map: (entry: T) => U): Readonly<Record<string, U>> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]))
