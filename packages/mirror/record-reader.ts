import { slugOf } from '@campus/engine/base/text/slugs'
import { isParams } from '@campus/engine/http/params'
import { embeddedOnly, type Resource } from '@campus/engine/rest/declare/declaration'
import type { Embeds, Field, GatheredRows, ReadColumns } from '@campus/engine/rest/declare/fields/field'
import { MAX_INTEGER, WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { readColumns } from '@campus/engine/rest/declare/fields/read-columns'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { isMirrored } from './lists.ts'

type WireRecord = Readonly<Record<string, unknown>>

/** The columns of a row that a record shows. */
export type ReadRow = { readonly table: string; readonly id: number; readonly columns: ReadColumns }

/** All rows of a table whose `foreignKey` is the id of a record. */
export type ReadList = {
  readonly table: string
  readonly foreignKey: string
  readonly holder: number
  /**
   * `linked` rows are other records, which are unlinked if they are not in the list. `owned` rows are deleted if they are
   * not in the list. `joined` rows have no id and are identified by `key`.
   */
  readonly sort: 'linked' | 'owned' | 'joined'
  readonly key: string
  readonly rows: readonly ReadColumns[]
}

export type ReadRecord = {
  readonly id: number
  readonly rows: readonly ReadRow[]
  readonly lists: readonly ReadList[]
  /** Wrong values as `field fault`. Their columns are left out. */
  readonly faults: readonly string[]
  /** Names that the representation does not have. */
  readonly unknown: readonly string[]
  /** Whether a value is hidden from the application, perhaps for a while. */
  readonly hidesSomething: boolean
}

/** Returns the resource whose list shows the rows of a table. */
const listing = (registry: Registry, table: string): Resource | undefined =>
  registry.resources.find((resource) => resource.table === table && isMirrored(resource))

const shownBy = (resource: Resource) => resource.representationFields(resource.answers?.index ?? 'record')

/** Returns the columns that the list of a resource always shows. */
function columnsShown(resource: Resource): ReadonlySet<string> {
  return new Set(
    shownBy(resource).flatMap(([name, { stored, embeds, guard }]) => {
      if (guard) return []
      return [...(stored ? [stored.column ?? name] : []), ...(embeds?.by === undefined ? [] : [embeds.by])]
    }),
  )
}

/** Converts records of a list to rows of the database. */
export class RecordReader {
  readonly #registry: Registry
  readonly #resource: Resource

  constructor(registry: Registry, resource: Resource) {
    this.#registry = registry
    this.#resource = resource
  }

  /** Returns a record without its wrapper, or undefined if it is no record. */
  plain(sent: unknown): WireRecord | undefined {
    const { wrapped, singular } = this.#resource
    const record = wrapped && isParams(sent) ? sent[singular] : sent
    return isParams(record) ? record : undefined
  }

  /** Returns undefined if the value is no record or has no id. */
  read(sent: unknown): ReadRecord | undefined {
    const record = this.plain(sent)
    const id = record?.id
    if (!record || !isId(id)) return undefined
    const into: Collected = { rows: [], lists: [], faults: [], hidesSomething: false }
    this.#read(this.#resource, shownBy(this.#resource), record, { id, into })
    const known = new Set(shownBy(this.#resource).map(([name]) => name))
    return { id, ...into, unknown: Object.keys(record).filter((name) => !known.has(name)) }
  }

  #read(
    resource: Resource,
    fields: readonly (readonly [string, Field])[],
    record: WireRecord,
    { id, into, also = {} }: { readonly id: number; readonly into: Collected; readonly also?: ReadColumns },
  ): void {
    const { id: _, ...columns } = withSlug(resource, { ...this.#columns(fields, record, into), ...also })
    into.rows.push({ table: resource.table, id, columns })
    for (const [name, { embeds, ids }] of fields) {
      const value = record[name]
      if (!Array.isArray(value)) continue
      if (embeds?.rows) this.#readList(embeds, value, id, into)
      else if (ids?.through) this.#readJoined(ids.through, value, id, into)
    }
  }

  #columns(fields: readonly (readonly [string, Field])[], record: WireRecord, into: Collected): ReadColumns {
    const claimed: Record<string, unknown> = {}
    const columns: Record<string, unknown> = {}
    for (const [name, field] of fields) {
      const value = record[name]
      if (value === 'invisible' && field.guard) into.hidesSomething = true
      try {
        if (field.embeds?.by !== undefined) Object.assign(columns, this.#reference(field.embeds, value, into))
        else
          Object.assign(field.stored || !field.readColumns ? columns : claimed, readColumns(name, field, value, record))
      } catch (error) {
        if (!(error instanceof WrongValue)) throw error
        into.faults.push(`${name} ${error.message}`)
      }
    }
    return { ...claimed, ...columns }
  }

  /** Reads the id of an embedded record. An empty record is null. Also reads the record if no list shows it. */
  #reference({ by, resource: name, representation }: Embeds, value: unknown, into: Collected): ReadColumns {
    if (by === undefined || (value !== null && !isParams(value))) return {}
    if (value === null) return { [by]: null }
    const { id } = value
    if (!isId(id)) return Object.keys(value).length === 0 ? { [by]: null } : {}
    const resource = this.#registry.get(name)
    const isEmbeddedOnly = resource.actions === embeddedOnly && resource.unmirrored === undefined
    if (isEmbeddedOnly && !listing(this.#registry, resource.table))
      this.#read(resource, resource.representationFields(representation), value, { id, into })
    return { [by]: id }
  }

  #readList(
    { resource: name, representation, rows }: EmbeddedRecord,
    shown: readonly unknown[],
    holder: number,
    into: Collected,
  ) {
    const { association, by = 'id', only } = rows
    if (by !== 'id' || only) return
    const records = shown.filter(isRecord)
    if (typeof association !== 'string') {
      if (association.only || association.unless || association.current) return
      const ids = records.map(({ id }) => id)
      if (association.key === undefined) this.#readJoined(association, ids, holder, into)
      return
    }
    const resource = this.#registry.get(name)
    if (resource.unmirrored !== undefined) return
    const list = { table: resource.table, foreignKey: association, holder }
    const listed = listing(this.#registry, resource.table)
    const fields = resource.representationFields(representation)
    const key = resource.stored('id')?.column ?? 'id'
    if (listed) {
      if (key !== 'id' || columnsShown(listed).has(association)) return
      into.lists.push({ ...list, sort: 'linked', key, rows: records.map(({ id }) => ({ id })) })
      for (const { id } of records) into.rows.push({ table: resource.table, id, columns: { [association]: holder } })
    } else if (key === 'id') {
      into.lists.push({ ...list, sort: 'owned', key, rows: records.map(({ id }) => ({ id })) })
      for (const record of records)
        this.#read(resource, fields, record, { id: record.id, into, also: { [association]: holder } })
    } else {
      const columns = records.map((record) => ({ ...this.#columns(fields, record, into), [association]: holder }))
      into.lists.push({ ...list, sort: 'joined', key, rows: columns })
    }
  }

  #readJoined(
    { table, foreignKey, otherKey }: JoinTable,
    ids: readonly unknown[],
    holder: number,
    into: Collected,
  ): void {
    if (typeof otherKey !== 'string' || listing(this.#registry, table)) return
    const rows = ids.filter(isId).map((id) => ({ [foreignKey]: id, [otherKey]: holder }))
    into.lists.push({ table, foreignKey: otherKey, holder, sort: 'joined', key: foreignKey, rows })
  }
}

type JoinTable = { readonly table: string; readonly foreignKey: string; readonly otherKey: unknown }

type EmbeddedRecord = Embeds & { readonly rows: GatheredRows }

type Collected = {
  readonly rows: ReadRow[]
  readonly lists: ReadList[]
  readonly faults: string[]
  hidesSomething: boolean
}

/** Makes a slug that is not shown from the name, as for a new record. */
function withSlug({ fields }: Resource, columns: ReadColumns): ReadColumns {
  const isUnnamed = fields.slug?.stored !== undefined && columns.slug === undefined
  return isUnnamed && typeof columns.name === 'string' ? { slug: slugOf(columns.name), ...columns } : columns
}

export const isId = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_INTEGER

const isRecord = (value: unknown): value is WireRecord & { readonly id: number } => isParams(value) && isId(value.id)
