import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { wrongParameter } from '../../errors.ts'
import { embeddedOnly, type Resource } from '../declare/declaration.ts'
import type { IncludeTree, Step } from './include.ts'
import { type LinkMember, legalNames, type Member, type Shape, type Shapes } from './shapes.ts'

export type Identifier = { readonly type: string; readonly id: string }

type Linkage = { links?: { related: string }; data?: Identifier | null | readonly Identifier[]; meta?: object }

export type ResourceObject = Identifier & {
  attributes?: Record<string, unknown>
  relationships?: Record<string, Linkage>
  links?: { self: string }
}

export type PlainRecord = Readonly<Record<string, unknown>>

type GatheringOptions = {
  readonly shapes: Shapes
  readonly baseUrl: string
  readonly fields: ReadonlyMap<string, ReadonlySet<string>>
  readonly most: number
  load(resource: Resource, representation: string, ids: readonly string[]): Promise<readonly PlainRecord[]>
}

/** Builds the resource objects of a document, each of them once. */
export class DocumentBuilder {
  readonly #options: GatheringOptions
  readonly #objects = new Map<string, ResourceObject>()

  constructor(options: GatheringOptions) {
    this.#options = options
  }

  /** Returns the primary data and the included records. Throws 400 if there are too many. */
  async gather(
    records: readonly PlainRecord[],
    shape: Shape,
    include: IncludeTree,
  ): Promise<{ readonly data: ResourceObject[]; readonly included: ResourceObject[] }> {
    const plain = records.map((record) => unwrap(shape, record))
    const data = new Set(plain.map(({ id }) => this.#objectOf(shape.resource, String(id))))
    await this.#place(plain, shape, include)
    const included = [...this.#objects.values()].filter((object) => !data.has(object))
    return { data: [...data], included }
  }

  async #place(records: readonly PlainRecord[], shape: Shape, include: IncludeTree): Promise<void> {
    for (const record of records) this.#write(record, shape, shape.members)
    const { most } = this.#options
    if (this.#objects.size > most)
      throw wrongParameter(
        'include',
        message('include leads to more than {most} records here; ask for smaller pages.', { most }),
      )
    for (const step of include.values()) {
      const holders = step.shownIn ? await this.#showAlso(records, step.shownIn, step.member) : records
      await this.#place(await this.#behind(holders, step), step.target, step.below)
    }
  }

  async #showAlso(records: readonly PlainRecord[], shape: Shape, member: LinkMember): Promise<PlainRecord[]> {
    const pages = await this.#load(
      shape,
      records.map(({ id }) => String(id)),
    )
    for (const page of pages) this.#write(page, shape, [member])
    return pages
  }

  async #behind(holders: readonly PlainRecord[], { member, target }: Step): Promise<PlainRecord[]> {
    const values = holders.map((holder) => holder[member.from])
    if (member.kind !== 'reference') return distinct(values.flatMap((value) => recordsIn(target, value)))
    return this.#load(target, values.flatMap(idsIn))
  }

  async #load(shape: Shape, ids: readonly string[]): Promise<PlainRecord[]> {
    const records =
      ids.length > 0 ? await this.#options.load(shape.resource, shape.representation, [...new Set(ids)]) : []
    return records.map((record) => unwrap(shape, record))
  }

  #write(record: PlainRecord, { resource }: Shape, members: readonly Member[]): void {
    const object = this.#objectOf(resource, String(record.id))
    const wanted = this.#options.fields.get(resource.name)
    for (const member of members) {
      if (wanted && !wanted.has(member.name)) continue
      const value = record[member.from]
      if (member.kind === 'attribute' || member.kind === 'value') {
        object.attributes ??= {}
        object.attributes[member.name] = member.kind === 'value' ? legalNames(value) : value
      } else {
        object.relationships ??= {}
        object.relationships[member.name] = this.#linkageOf(object, member, value)
      }
    }
  }

  /** A record in several representations is one object with the fields of all. */
  #objectOf(resource: Resource, id: string): ResourceObject {
    const key = `${resource.name} ${id}`
    const known = this.#objects.get(key)
    if (known) return known
    const links = resource.actions === embeddedOnly ? {} : { links: { self: this.#addressOf(resource, id) } }
    const object: ResourceObject = { type: resource.name, id, ...links }
    this.#objects.set(key, object)
    return object
  }

  #linkageOf(object: Identifier, member: LinkMember, value: unknown): Linkage {
    // A plain record shows `invisible` or leaves the field out (spec: json-api 6).
    if (value === 'invisible' || value === undefined) return { meta: { invisible: true } }
    const { target } = member
    const ids = this.#idsIn(member, value)
    if (member.kind === 'toMany' || (member.kind === 'reference' && member.isList)) {
      const related = member.kind === 'toMany' ? member.related?.replace(':id', object.id) : undefined
      const links = related === undefined ? {} : { links: { related: this.#options.baseUrl + related } }
      return { ...links, data: ids.map((id) => ({ type: target.name, id })) }
    }
    const [id] = ids
    if (id === undefined) return { data: null }
    const links = target.actions === embeddedOnly ? {} : { links: { related: this.#addressOf(target, id) } }
    return { ...links, data: { type: target.name, id } }
  }

  #idsIn(member: LinkMember, value: unknown): string[] {
    if (member.kind === 'reference') return idsIn(value)
    const records = recordsIn(this.#options.shapes.of(member.target, member.representation), value)
    return [...new Set(records.map(({ id }) => String(id)))]
  }

  #addressOf = ({ name }: Resource, id: string) => `${this.#options.baseUrl}/v2/${name}/${id}`
}

const idsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map(String) : value == null ? [] : [String(value)]

/** Removes duplicates, so that a shared record is followed once. */
const distinct = (records: readonly PlainRecord[]) => [
  ...new Map(records.map((record) => [record.id, record])).values(),
]

/** Returns the records in an embedding field. Null and `{}` stand for none. */
function recordsIn(shape: Shape, value: unknown): PlainRecord[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.flatMap((entry) => {
    if (!isRecord(entry)) return []
    const record = unwrap(shape, entry)
    return record?.id === undefined ? [] : [record]
  })
}

const plainRecord = (value: unknown): PlainRecord => (isRecord(value) ? value : {})

const unwrap = ({ resource: { wrapped, singular } }: Shape, record: PlainRecord) =>
  wrapped ? plainRecord(record[singular]) : record
