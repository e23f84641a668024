import { embeddedOnly, type Resource } from '../resource.ts'
import type { IncludeTree } from './json-api-query.ts'
import type { Member, Shape, Shapes } from './json-api-shapes.ts'

export type Identifier = { readonly type: string; readonly id: string }

type Linkage = { links?: { related: string }; data?: Identifier | null | readonly Identifier[]; meta?: object }

export type ResourceObject = Identifier & {
  attributes?: Record<string, unknown>
  relationships?: Record<string, Linkage>
  links?: { self: string }
}

/** A record of the plain wire, parsed. */
export type PlainRecord = Readonly<Record<string, unknown>>

type GatheringOptions = {
  readonly shapes: Shapes
  readonly baseUrl: string
  /** `fields[type]`. */
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
}

/** Turns plain records into the resource objects of one document, each there only once. */
export class Gathering {
  readonly #options: GatheringOptions
  readonly #objects = new Map<string, ResourceObject>()

  constructor(options: GatheringOptions) {
    this.#options = options
  }

  /** The primary data, and what the paths of `include` lead to beside it. */
  gather(
    records: readonly PlainRecord[],
    shape: Shape,
    include: IncludeTree,
  ): { readonly data: ResourceObject[]; readonly included: ResourceObject[] } {
    const data = new Set(records.map((record) => this.#place(unwrap(shape, record), shape, include)))
    const included = [...this.#objects.values()].filter((object) => !data.has(object))
    return { data: [...data], included }
  }

  #place(record: PlainRecord, shape: Shape, include: IncludeTree): ResourceObject {
    const { resource, members } = shape
    const object = this.#objectOf(resource, String(record.id))
    const wanted = this.#options.fields.get(resource.name)
    for (const member of members) {
      const value = record[member.from]
      if (!wanted || wanted.has(member.name)) this.#write(object, member, value)
      const below = include.get(member.name)
      if (below && (member.kind === 'toOne' || member.kind === 'toMany')) {
        const target = this.#options.shapes.of(member.target, member.form)
        for (const other of recordsIn(target, value)) this.#place(other, target, below)
      }
    }
    return object
  }

  /** The same record may come in several forms: it is one object with what each of them shows. */
  #objectOf(resource: Resource, id: string): ResourceObject {
    const key = `${resource.name} ${id}`
    const known = this.#objects.get(key)
    if (known) return known
    const self = resource.actions === embeddedOnly ? undefined : this.#addressOf(resource, id)
    const object: ResourceObject = { type: resource.name, id, ...(self ? { links: { self } } : {}) }
    this.#objects.set(key, object)
    return object
  }

  #write(object: ResourceObject, member: Member, value: unknown): void {
    if (member.kind === 'attribute' || member.kind === 'value') {
      object.attributes ??= {}
      object.attributes[member.name] = member.kind === 'value' ? withLegalNames(value) : value
    } else {
      object.relationships ??= {}
      object.relationships[member.name] = this.#linkageOf(object, member, value)
    }
  }

  #linkageOf(object: Identifier, member: Exclude<Member, { kind: 'attribute' | 'value' }>, value: unknown): Linkage {
    const type = member.target.name
    // Who evaluates whom is said only once it begins (wire-facts §0.2).
    if (value === 'invisible') return { meta: { invisible: true } }
    if (member.kind === 'toMany') {
      const related = member.related?.replace(':id', object.id)
      const data = recordsIn(this.#options.shapes.of(member.target, member.form), value).map(({ id }) => ({
        type,
        id: String(id),
      }))
      return { ...(related ? { links: { related: this.#options.baseUrl + related } } : {}), data }
    }
    const id =
      member.kind === 'reference' ? value : recordsIn(this.#options.shapes.of(member.target, member.form), value)[0]?.id
    if (id === null || id === undefined) return { data: null }
    const isReachable = member.target.actions !== embeddedOnly
    const related = isReachable ? this.#addressOf(member.target, String(id)) : undefined
    return { ...(related ? { links: { related } } : {}), data: { type, id: String(id) } }
  }

  #addressOf = ({ name }: Resource, id: string) => `${this.#options.baseUrl}/v2/${name}/${id}`
}

/** The records that an embedding field holds: nothing may stand there as null or `{}`. */
function recordsIn(shape: Shape, value: unknown): PlainRecord[] {
  const list = Array.isArray(value) ? value : [value]
  return list
    .filter(isRecord)
    .map((record) => unwrap(shape, record))
    .filter(({ id }) => id !== undefined)
}

const unwrap = ({ resource: { wrapped, singular } }: Shape, record: PlainRecord) =>
  wrapped ? (record[singular] as PlainRecord) : record

const isRecord = (value: unknown): value is PlainRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Names inside of a value keep to the rules for names too. */
function withLegalNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLegalNames)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.endsWith('?') ? name.slice(0, -1) : name,
      withLegalNames(inner),
    ]),
  )
}
