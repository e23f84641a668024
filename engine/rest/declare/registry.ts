import type { AggregatesByTable } from '../../database/aggregates.ts'
import type { CarriedSql, NamedChange } from '../../database/functions/capture.ts'
import type { CommonAccess } from './access.ts'
import type { Catalogue } from './catalogue.ts'
import type { Resource } from './declaration.ts'
import type { JsonSchema } from './fields/kinds.ts'
import { columnOf, quote } from './identifiers.ts'

export class Registry {
  readonly resources: readonly Resource[]
  readonly access: CommonAccess
  readonly aggregates: AggregatesByTable
  readonly namedChanges: ReadonlyMap<string, readonly NamedChange[]>
  /** SQL that names the subject of calls, by table. */
  readonly called: ReadonlyMap<string, CarriedSql>
  readonly rowsRecorded: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, string>
  readonly #byName: ReadonlyMap<string, Resource>
  readonly #constraints: ReadonlyMap<string, string>
  readonly #keys: ReadonlySet<string>

  constructor(
    resources: readonly Resource[],
    access: CommonAccess,
    { constraints, keys }: Pick<Catalogue, 'constraints' | 'keys'> = { constraints: new Map(), keys: new Set() },
  ) {
    this.resources = resources
    this.access = access
    this.aggregates = new Map(resources.flatMap(({ table, aggregates }) => (aggregates ? [[table, aggregates]] : [])))
    this.namedChanges = new Map(resources.flatMap((resource) => namedBy(resource)))
    const subjects = resources.find(({ calls }) => calls?.name !== undefined)
    this.called = new Map(resources.flatMap((resource) => calledBy(resource, subjects)))
    this.rowsRecorded = new Set(resources.flatMap(({ table, recordsRows }) => (recordsRows ? [table] : [])))
    this.aliases = new Map(
      resources.flatMap(({ name, alsoNamed }) => (alsoNamed === undefined ? [] : [[name, alsoNamed]])),
    )
    this.#constraints = constraints
    this.#keys = keys
    this.#byName = new Map(resources.map((resource) => [resource.name, resource]))
    if (this.#byName.size !== resources.length) throw new Error('two resources have the same name')
  }

  /** Throws if no resource has the name. */
  get(name: string): Resource {
    const resource = this.#byName.get(name)
    if (!resource) throw new Error(`no resource is called ${name}`)
    return resource
  }

  columnOf(table: string, constraint: string): string | undefined {
    return this.#constraints.get(`${table}.${constraint}`)
  }

  isKey(table: string, column: string): boolean {
    return this.#keys.has(`${table}.${column}`)
  }

  readonly schemaOf = (name: string, representation: string): JsonSchema => ({
    $ref: `#/components/schemas/${schemaName(this.get(name), representation)}`,
  })
}

/** Returns the name of a schema in the OpenAPI document: `user`, `user_short`. */
export const schemaName = (resource: Resource, representation: string) =>
  representation === 'record' ? resource.singular : `${resource.singular}_${representation}`

function namedBy({ table, events, stored }: Resource): readonly (readonly [string, readonly NamedChange[]])[] {
  if (!events) return []
  const named = Object.entries(events).map(([event, { column, sql }]): NamedChange => {
    const of = (row: string) => columnOf(row, stored(column)?.column ?? column)
    const ofNew = sql(undefined, of('n'))
    return { event, ...(ofNew !== undefined && { ofNew }), ofChanged: sql(of('o'), of('n')) ?? 'false' }
  })
  return [[table, named]]
}

/** A record that refers to a subject carries its id and name, since the name may change before the call. */
function calledBy(
  { name: resource, table, calls }: Resource,
  subjects: Resource | undefined,
): readonly (readonly [string, CarriedSql])[] {
  if (!calls) return []
  const { name, subject } = calls
  if (name !== undefined) return [[table, (row) => columnOf(row, name)]]
  if (subjects?.calls?.name === undefined)
    throw new Error(`${resource} declares calls about subjects, but no resource names them`)
  const named = `select ${quote(subjects.calls.name)} from ${quote(subjects.table)}`
  const id = (row: string) => columnOf(row, subject)
  return [[table, (row) => `${id(row)} || ' ' || coalesce((${named} where id = ${id(row)}), '')`]]
}
