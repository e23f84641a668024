import { defined } from '../../base/defined.ts'
import { literal } from '../../database/literal.ts'
import type { TextRow } from '../../database/text-query.ts'
import { narrowing } from '../declare/association-sql.ts'
import type { Resource } from '../declare/declaration.ts'
import {
  type Embedder,
  type Field,
  type GatheredRows,
  type Holder,
  type Scope,
  type Writer,
  withMeaning,
} from '../declare/fields/field.ts'
import type { JsonSchema, WireContext } from '../declare/fields/kinds.ts'
import { writeSql } from '../declare/fields/select-sql.ts'
import { hiddenSql } from '../declare/guard.ts'
import { guardOf } from '../declare/guard-sql.ts'
import { columnOf, quote } from '../declare/identifiers.ts'
import type { Registry } from '../declare/registry.ts'
import { markOf } from './deferred-embeds.ts'
import { type Branch, NestedLists } from './nested.ts'

/** A compiled representation: the SQL to select from the table `t`, and the writer of a row. */
export type Representation = {
  readonly table: string
  readonly select: string
  readonly joins: string
  /** Shows the join table's row between the record and its parent, which the statement must join. */
  readonly usesJoinTable: boolean
  readonly isGuarded: boolean
  readonly expires: boolean
  readonly tables: ReadonlySet<string>
  /**
   * Tables that the representation reads, except the table of the row. That table is included if the representation
   * shows other rows of it.
   */
  readonly otherTables: ReadonlySet<string>
  /** Keys of cached fragments, which must be loaded before a row is written (fragments.ts). */
  readonly fragments: ReadonlySet<string>
  /** Keys of deferred embeds, whose places are marked (deferred-embeds.ts). */
  readonly deferred: ReadonlySet<string>
  write(row: TextRow): string
}

/** Alias of the join table's row between a record and its parent. */
export const JOIN_TABLE_ALIAS = 'joined'

type Selection = {
  usesJoinTable: boolean
  /** Shared with the selections of embedded rows. */
  readonly traits: { isGuarded: boolean; expires: boolean }
  readonly selected: string[]
  readonly joins: string[]
  readonly joined: Map<string, string>
  readonly tables: Set<string>
  readonly fragments: Set<string>
  readonly deferred: Set<string>
}

type FragmentReaders = { reader(key: string): (id: string) => string }

/** Compiles each representation once, so that a request only selects columns and joins texts. */
export class RepresentationCompiler {
  readonly #registry: Registry
  readonly #wire: WireContext
  readonly #fragments: FragmentReaders
  readonly #representations = new Map<string, Representation>()
  readonly #nested = new NestedLists()
  #aliases = 0

  constructor(registry: Registry, wire: WireContext, fragments: FragmentReaders) {
    this.#registry = registry
    this.#wire = wire
    this.#fragments = fragments
  }

  representation(resource: Resource, name: string): Representation {
    const compile = (scope: Scope) => this.#writeObject(resource, name, scope)
    return this.#compileOnce(resource, keyOf(resource, name), compile)
  }

  representationOf(key: string): Representation {
    const [resource = '', name = ''] = key.split('/')
    return this.representation(this.#registry.get(resource), name)
  }

  #compileOnce(resource: Resource, key: string, compile: (scope: Scope) => Writer): Representation {
    const known = this.#representations.get(key)
    if (known) return known
    const into: Selection = {
      usesJoinTable: false,
      traits: { isGuarded: false, expires: false },
      selected: [],
      joins: [],
      joined: new Map(),
      tables: new Set(),
      fragments: new Set(),
      deferred: new Set(),
    }
    const write = compile(this.#scope('t', into, resource))
    const representation = {
      table: resource.table,
      select: into.selected.join(', '),
      joins: into.joins.join(' '),
      usesJoinTable: into.usesJoinTable,
      ...into.traits,
      tables: new Set([resource.table, ...into.tables]),
      otherTables: into.tables,
      fragments: into.fragments,
      deferred: into.deferred,
      write,
    }
    this.#representations.set(key, representation)
    return representation
  }

  #scope(alias: string, into: Selection, resource?: Resource, holder?: Holder): Scope {
    return {
      alias,
      holder,
      wire: this.#wire,
      select: (sql) => {
        const present = into.selected.indexOf(sql)
        return present >= 0 ? present : into.selected.push(sql) - 1
      },
      join: (table, key) => {
        const known = into.joined.get(`${table} ${key}`)
        const other = known ?? this.#freshAlias()
        if (!known) into.joins.push(`left join ${quote(table)} ${other} on ${other}.id = ${key}`)
        into.joined.set(`${table} ${key}`, other)
        into.tables.add(table)
        return this.#scope(other, into)
      },
      joinTable: () => {
        into.usesJoinTable = true
        return this.#scope(JOIN_TABLE_ALIAS, into)
      },
      freshAlias: () => this.#freshAlias(),
      guard: () => {
        into.traits.isGuarded = true
      },
      expire: () => {
        into.traits.expires = true
      },
      dependOn: (table) => into.tables.add(table),
      embed: this.#embedder(into, resource),
    }
  }

  #freshAlias(): string {
    this.#aliases += 1
    return `t${this.#aliases}`
  }

  /** Returns an embedder that selects into `into`. `on` is the resource of the current row, if it is known. */
  #embedder(into: Selection, on: Resource | undefined): Embedder {
    return {
      inline: (resource, representation, scope) =>
        this.#writeObject(this.#registry.get(resource), representation, scope),
      cached: (name, representation, needed) => {
        const resource = this.#registry.get(name)
        if (!resource.cachedInMemory && !needed) return undefined
        return this.#fragmentReader(resource, representation, into)
      },
      deferred: (name, representation) => this.#marker(this.#registry.get(name), representation, into),
      cachedField: (name, fieldName, field, needed) => {
        const resource = this.#registry.get(name)
        if (!resource.cachedInMemory && !needed) return undefined
        const representation = this.#freshAlias()
        this.#compileOnce(resource, keyOf(resource, representation), (scope) => field.compile(scope, fieldName))
        return this.#fragmentReader(resource, representation, into)
      },
      gather: (name, representation, scope, rows) =>
        this.#gather(this.#registry.get(name), representation, { scope, on }, rows, into),
      tableOf: (name) => this.#registry.get(name).table,
      aggregatesOf: (table) => this.#registry.aggregates.get(table),
      schemaOf: (name, representation) =>
        representationSchema(this.#registry.get(name), representation, this.#registry.schemaOf),
    }
  }

  #fragmentReader(resource: Resource, representation: string, into: Selection): (id: string) => string {
    const key = keyOf(resource, representation)
    into.fragments.add(key)
    return this.#fragments.reader(key)
  }

  #marker(resource: Resource, representation: string, into: Selection): (id: string) => string {
    const key = keyOf(resource, representation)
    into.deferred.add(key)
    const { tables, fragments, isGuarded, expires } = this.representation(resource, representation)
    for (const table of tables) into.tables.add(table)
    for (const fragment of fragments) into.fragments.add(fragment)
    if (isGuarded) into.traits.isGuarded = true
    if (expires) into.traits.expires = true
    return (id) => markOf(key, id)
  }

  #writeObject(resource: Resource, representation: string, scope: Scope): Writer {
    const writers = resource.representationFields(representation).map(([name, field], index) => {
      const key = `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
      return [key, field.compile(scope, name)] as const
    })
    const wrapper = isWrapped(resource, representation) ? JSON.stringify(resource.singular) : undefined
    const keys = writers.map(([key]) => key)
    const writes = writers.map(([, write]) => write)
    const isWhole = !resource.representationFields(representation).some(([, { mayBeLeftOut }]) => mayBeLeftOut)
    const plain: Writer = (row) => {
      let out = ''
      for (let at = 0; at < keys.length; at += 1) {
        const value = defined(writes[at])(row)
        if (isWhole || value !== '') out += defined(keys[at]) + value
      }
      return `${out}}`
    }
    return wrapper ? (row) => `{${wrapper}:${plain(row)}}` : plain
  }

  /** Selects rows as one column: a JSON list of lists of texts, so that the same writers serve them. */
  #gather(
    resource: Resource,
    representation: string,
    { scope, on }: { readonly scope: Scope; readonly on: Resource | undefined },
    rows: GatheredRows,
    outer: Selection,
  ): Writer {
    outer.tables.add(resource.table)
    if (typeof rows.association !== 'string') outer.tables.add(rows.association.table)
    if (resource.cachedInMemory || rows.deferred) return this.#gatherIds(resource, representation, scope, rows, outer)
    if (rows.nested)
      return this.#nested.gather(rows, resource.table, scope, () => this.#branch(resource, representation, outer))
    const above: { row: TextRow } = { row: [] }
    const { association, by } = rows
    const holder =
      on && typeof association === 'string' && !by ? this.#holder(on, scope, association, above) : undefined
    const { alias, selected, joins, compile } = this.#branch(resource, representation, outer, holder)
    const write = compile()
    const texts = selected.map((sql) => `(${sql})::text`).join(', ')
    const at = scope.select(
      `array_to_json(array(select array[${texts}]
        from ${this.#rowsOf(resource, alias, scope, rows, joins)}${this.#visible(resource, alias, scope, rows)} order by ${orderOf(alias, rows)}))`,
    )
    return (row) => {
      const value = row[at]
      if (value == null || value === '[]') return '[]'
      above.row = row
      const rows: TextRow[] = JSON.parse(value)
      return `[${rows.map(write).join(',')}]`
    }
  }

  #holder(resource: Resource, scope: Scope, by: string, above: { readonly row: TextRow }): Holder {
    return {
      resource: resource.name,
      by,
      write: (representation) => {
        const write = this.#writeObject(resource, representation, scope)
        let written: TextRow | undefined
        let text = ''
        return () => {
          if (written !== above.row) text = write(above.row)
          written = above.row
          return text
        }
      },
    }
  }

  #branch(resource: Resource, representation: string, outer: Selection, holder?: Holder): Branch {
    const alias = this.#freshAlias()
    const into: Selection = { ...outer, usesJoinTable: false, selected: [], joins: [], joined: new Map() }
    const scope = this.#scope(alias, into, resource, holder)
    return { alias, scope, ...into, compile: () => this.#writeObject(resource, representation, scope) }
  }

  /** Selects only the ids of cached or deferred records. */
  #gatherIds(resource: Resource, representation: string, scope: Scope, rows: GatheredRows, outer: Selection): Writer {
    const textOf = resource.cachedInMemory
      ? this.#fragmentReader(resource, representation, outer)
      : this.#marker(resource, representation, outer)
    const at = scope.select(`array_to_json(array(select ${this.#idsOf(resource, scope, rows)}))`)
    return (row) => {
      const value = row[at]
      if (value == null || value === '[]') return '[]'
      const ids: number[] = JSON.parse(value)
      return `[${ids.map((id) => textOf(String(id))).join(',')}]`
    }
  }

  /** Reads the ids from the join table unless the records decide the order or the selection. */
  #idsOf(resource: Resource, scope: Scope, rows: GatheredRows): string {
    const alias = this.#freshAlias()
    const { association, by = 'id', order, only } = rows
    if (typeof association === 'string' || association.key || order || only) {
      return `${alias}.id from ${this.#rowsOf(resource, alias, scope, rows, [])}${this.#visible(resource, alias, scope, rows)} order by ${columnOf(alias, order ?? 'id')}`
    }
    const { table, foreignKey, otherKey } = association
    const id = columnOf(alias, foreignKey)
    const narrowed = narrowing(association).write({ alias })
    return `${id} from ${quote(table)} ${alias} where ${columnOf(alias, otherKey)} = ${columnOf(scope.alias, by)}${narrowed} order by ${id}`
  }

  #visible(resource: Resource, alias: string, scope: Scope, { association }: GatheredRows): string {
    const guard = typeof association === 'string' ? guardOf(resource, association) : undefined
    if (!guard) return ''
    scope.guard()
    return ` and not ${writeSql({ ...scope, alias }, hiddenSql(guard))}`
  }

  #rowsOf(
    resource: Resource,
    alias: string,
    scope: Scope,
    { association, by = 'id', only }: GatheredRows,
    joins: readonly string[],
  ): string {
    const own = columnOf(scope.alias, by)
    const narrowed = only ? ` and ${conditionOf(alias, only)}` : ''
    const rows = `${quote(resource.table)} ${alias}`
    if (typeof association === 'string')
      return `${rows} ${joins.join(' ')} where ${columnOf(alias, association)} = ${own}${narrowed}`
    const { table, foreignKey, key = 'id', otherKey } = association
    const joined = this.#freshAlias()
    const join = `join ${quote(table)} ${joined} on ${columnOf(joined, foreignKey)} = ${columnOf(alias, key)}`
    return `${rows} ${join} ${joins.join(' ')} where ${columnOf(joined, otherKey)} = ${own}${narrowed}${narrowing(association).write({ alias: joined })}`
  }
}

const keyOf = (resource: Resource, representation: string) => `${resource.name}/${representation}`

/** The id breaks ties. */
const orderOf = (alias: string, { order }: GatheredRows) =>
  order === undefined ? `${alias}.id` : `${columnOf(alias, order)}, ${alias}.id`

const conditionOf = (alias: string, only: NonNullable<GatheredRows['only']>) =>
  typeof only === 'string' ? columnOf(alias, only) : `${columnOf(alias, only[0])} = ${literal(only[1])}`

export function representationSchema(
  resource: Resource,
  representation: string,
  schemaOf: Embedder['schemaOf'],
  meaningOf: (name: string, field: Field) => string | undefined = () => undefined,
): JsonSchema {
  const properties = Object.fromEntries(
    resource
      .representationFields(representation)
      .map(([name, field]) => [name, withMeaning(field.schema(schemaOf), meaningOf(name, field))]),
  )
  const required = resource
    .representationFields(representation)
    .flatMap(([name, { mayBeLeftOut }]) => (mayBeLeftOut ? [] : name))
  const schema = { type: 'object', properties, required, additionalProperties: false }
  if (!isWrapped(resource, representation)) return schema
  return {
    type: 'object',
    properties: { [resource.singular]: schema },
    required: [resource.singular],
    additionalProperties: false,
  }
}

/** Webhooks have no wrapper (spec: webhooks 29). */
const isWrapped = ({ wrapped }: Resource, representation: string) => wrapped && representation !== 'webhook'
