import { isDeepStrictEqual } from 'node:util'
import type { FoundAssociation } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import type { Association } from '../declare/association.ts'
import { embeddedOnly, type Resource } from '../declare/declaration.ts'
import type { Embeds, Field, GatheredRows } from '../declare/fields/field.ts'
import type { Registry } from '../declare/registry.ts'

export type Shape = {
  readonly resource: Resource
  readonly representation: string
  readonly members: readonly Member[]
}

export type Member = {
  readonly from: string
  readonly name: string
} & (
  | { readonly kind: 'attribute' }
  /** Records without an id are plain values. */
  | { readonly kind: 'value' }
  | { readonly kind: 'toOne'; readonly target: Resource; readonly representation: string }
  | {
      readonly kind: 'toMany'
      readonly target: Resource
      readonly representation: string
      readonly related: string | undefined
    }
  /** Shows the id of another record, or a list of ids. */
  | { readonly kind: 'reference'; readonly target: Resource; readonly isList: boolean }
)

export type LinkMember = Exclude<Member, { readonly kind: 'attribute' | 'value' }>

/** A writable relationship: `payload` is its field in a plain payload. */
export type Writable = { readonly payload: string; readonly target: string; readonly isList: boolean }

export class Shapes {
  readonly registry: Registry
  readonly #known = new Map<string, Shape>()
  readonly #writables = new Map<Resource, ReadonlyMap<string, Writable>>()

  /** Throws if two fields of a resource share a name. */
  constructor(registry: Registry) {
    this.registry = registry
    for (const resource of registry.resources) this.#refuseSharedNames(resource)
  }

  of(resource: Resource, representation: string): Shape {
    const key = `${resource.name}/${representation}`
    const known = this.#known.get(key)
    if (known) return known
    const fields = resource.representationFields(representation)
    const embedded = new Set(fields.flatMap(([, field]) => field.embeds?.by ?? []))
    const members = fields
      .filter(([name, field]) => name !== 'id' && !(isReference(field) && embedded.has(columnName(name, field))))
      .map(([name, field]) => this.#memberOf(resource, name, field))
    const shape = { resource, representation, members }
    this.#known.set(key, shape)
    return shape
  }

  /** Returns every name that `fields[type]` may contain. */
  namesOf(resource: Resource): string[] {
    return [...new Set(this.#membersOf(resource).map(({ name }) => name))]
  }

  attributesOf(resource: Resource): Member[] {
    return this.#membersOf(resource).filter(({ kind }) => kind === 'attribute' || kind === 'value')
  }

  #membersOf(resource: Resource): Member[] {
    const representations = ['record', ...Object.keys(resource.representations ?? {})]
    return representations.flatMap((representation) => this.of(resource, representation).members)
  }

  writablesOf(resource: Resource): ReadonlyMap<string, Writable> {
    const known = this.#writables.get(resource)
    if (known) return known
    const { accepts = [], links = {} } = resource.payload ?? {}
    const writables = new Map<string, Writable>()
    for (const payload of accepts) {
      const field = defined(resource.fields[payload])
      const target = field.stored?.references
      if (target) writables.set(relationOf(resource, payload, field), { payload, target, isList: false })
    }
    for (const [payload, { table, resource: target }] of Object.entries(links)) {
      const shown = Object.entries(resource.fields).find(([, { embeds }]) => tableOf(embeds) === table)
      writables.set(shown?.[0] ?? target, { payload, target, isList: true })
    }
    this.#writables.set(resource, writables)
    return writables
  }

  #memberOf(resource: Resource, from: string, field: Field): Member {
    const name = legalName(resource, from)
    const { embeds } = field
    if (embeds) {
      const target = this.registry.get(embeds.resource)
      if (!hasIdentity(target, embeds.representation)) return { from, name, kind: 'value' }
      if (embeds.by !== undefined) return { from, name, kind: 'toOne', target, representation: embeds.representation }
      return {
        from,
        name,
        kind: 'toMany',
        target,
        representation: embeds.representation,
        related: relatedPath(resource, target, embeds),
      }
    }
    const ids = idsShownBy(field)
    const relation = ids ? relationOf(resource, from, field) : from
    if (!ids || relation === from) return { from, name, kind: field.stored ? 'attribute' : 'value' }
    return { from, name: relation, kind: 'reference', target: this.registry.get(ids.of), isList: ids.isList }
  }

  #refuseSharedNames(resource: Resource): void {
    const taken = new Map<string, Field>()
    for (const [from, field] of Object.entries(resource.fields)) {
      const member = this.#memberOf(resource, from, field)
      if (member.kind === 'reference') continue
      if (taken.has(member.name)) throw new Error(`${resource.name}: two fields are called ${member.name} in JSON:API`)
      taken.set(member.name, field)
    }
  }
}

const tableOf = (embeds: Embeds | undefined) => {
  const association = embeds?.rows?.association
  return typeof association === 'object' ? association.table : undefined
}

const idsShownBy = ({ stored, ids }: Field): Field['ids'] =>
  stored?.references === undefined ? ids : { of: stored.references, isList: false }

const isReference = ({ stored, embeds }: Field) => stored?.references !== undefined && embeds === undefined
const columnName = (name: string, { stored }: Field) => stored?.column ?? name

/** Removes `?` (JSON:API, Member Names), and renames `type`, which no attribute may have (Fields). */
export function legalName({ singular }: Resource, name: string): string {
  if (name === 'type') return `${singular}_type`
  return name.replace(/\?$/, '')
}

export function legalNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(legalNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name.replace(/\?$/, ''), legalNames(inner)]))
}

/** Returns the name of the field that embeds the record, else the name without `_id`, or the resource for a list. */
function relationOf(resource: Resource, name: string, field: Field): string {
  const column = columnName(name, field)
  const embedding = Object.entries(resource.fields).find(([, { embeds }]) => embeds?.by === column)
  if (embedding) return embedding[0]
  const bare = field.ids?.isList ? field.ids.of : name.replace(/_id$/, '')
  return Object.hasOwn(resource.fields, bare) ? name : bare
}

const hasIdentity = (resource: Resource, representation: string) =>
  resource.representationFields(representation).some(([name]) => name === 'id') &&
  resource.stored('id')?.column === 'id'

/** Returns the route of the list that the field embeds, with `:id` for this record. */
function relatedPath(resource: Resource, target: Resource, { rows }: Embeds): string | undefined {
  if (!rows || target.actions === embeddedOnly) return undefined
  const parent = target.parents?.find(
    ({ chain, actions, only }) =>
      chain.length === 1 &&
      chain[0]?.resource === resource.name &&
      actions.includes('index') &&
      !only &&
      isSameAssociation(chain[0].association, rows),
  )
  return parent && `/v2/${resource.name}/:id/${target.name}${parent.suffix ? `/${parent.suffix}` : ''}`
}

const isSameAssociation = (one: Association | FoundAssociation, { association, by, only }: GatheredRows) =>
  !only && !by && isDeepStrictEqual(one, association)
