import type { Aggregates } from '../../../database/aggregates.ts'
import type { TextRow } from '../../../database/text-query.ts'
import type { ThroughOne } from '../association.ts'
import type { Guard } from '../guard.ts'
import type { Sql } from '../sql.ts'
import type { JsonSchema, Kind, PublicAddresses, SqlValue, WireContext } from './kinds.ts'

export type Writer = (row: TextRow) => string

/** Compilation of a representation: the row, and the expressions selected so far. */
export type Scope = {
  readonly alias: string
  readonly wire: WireContext
  readonly holder?: Holder | undefined
  /** Selects an expression and returns its index in the row. */
  select(sql: string): number
  /** Joins the row of `table` that the key `on` refers to, and returns its scope. */
  join(table: string, on: string): Scope
  /** Returns the scope of the join table's row between the record and its parent in the path. */
  joinTable(): Scope
  freshAlias(): string
  /** Makes the representation depend on the caller and the time. */
  guard(): void
  /** Makes the representation expire, since it has addresses that open without a token. */
  expire(): void
  dependOn(table: string): void
  /** Writes the records of other resources into the JSON of this one (`represent/representation.ts`). */
  readonly embed: Embedder
}

/** The record that holds a list. The column `by` of the rows refers to it. */
export type Holder = {
  readonly resource: string
  readonly by: string
  write(representation: string): Writer
}

export type Embedder = {
  /** Compiles a representation of another resource for the joined row of `scope`. */
  inline(resource: string, representation: string, scope: Scope): Writer
  /** Returns the cached JSON by id, or undefined if the resource is neither cached nor `needed`. */
  cached(resource: string, representation: string, needed?: boolean): ((id: string) => string) | undefined
  /** Returns a placeholder of a record that is read later (`represent/deferred-embeds.ts`). */
  deferred(resource: string, representation: string): (id: string) => string
  cachedField(resource: string, name: string, field: Field, needed?: boolean): ((id: string) => string) | undefined
  gather(resource: string, representation: string, scope: Scope, rows: GatheredRows): Writer
  tableOf(resource: string): string
  aggregatesOf(table: string): Aggregates | undefined
  schemaOf(resource: string, representation: string): JsonSchema
}

/** Rows of a list in a record. */
export type GatheredRows = {
  readonly association: string | ThroughOne
  /** Column of this row that the association refers to. Defaults to `id`. */
  readonly by?: string | undefined
  readonly order?: string | undefined
  /** Nests rows of the record's own table to any depth. */
  readonly nested?: boolean | undefined
  /** Reads the rows in a separate statement for the page, each once. */
  readonly deferred?: boolean | undefined
  /** Column of the listed rows that must be true, or must equal `word`. */
  readonly only?: string | readonly [column: string, word: string] | undefined
}

/** A column of the resource's own table. */
export type Column<T extends SqlValue = SqlValue, N extends boolean = boolean> = {
  readonly kind: Kind<T>
  readonly nullable: N
  /** Resource that the column refers to. */
  readonly references?: string | undefined
  /** Defaults to the name of the field. */
  readonly column?: string | undefined
  /** A new record needs a value, and no update can remove it. */
  readonly required?: boolean | undefined
  /** Compares values without case (`fold.ts`). */
  readonly anyCase?: boolean | undefined
  readonly description?: string | undefined
  /** Converts a value in the form that the API shows. Returns undefined to leave the column unchanged. */
  readonly fromShown?: ((input: unknown, wire: PublicAddresses) => unknown) | undefined
  /** Stores a value in other columns than its own. */
  readonly storing?: { readonly kind: Kind; columns(value: SqlValue): Readonly<Record<string, SqlValue>> } | undefined
}

/** A sent value without a column, such as the input of an action. */
export type Parameter = Column

/** Records that a field embeds: the one that the column `by` refers to, or `rows`. */
export type Embeds = {
  readonly resource: string
  readonly representation: string
} & ({ readonly by: string; readonly rows?: undefined } | { readonly rows: GatheredRows; readonly by?: undefined })

/** The resource of a field, with all its fields as declared. */
export type Place = {
  readonly resource: string
  readonly singular: string
  readonly fields: Readonly<Record<string, Field>>
}

export type ReadColumns = Readonly<Record<string, unknown>>

/** A part of a record. Its name is the key in the declaration. */
export type Field<C extends Column = Column> = {
  /** Description for documents. Defaults to that of the kind or the name (`meaning.ts`). */
  readonly description?: string | undefined
  /** Not in the representation `record`, but filterable, sortable and writable. */
  readonly hidden: boolean
  /** Column of a sealed secret, as `table.column`. */
  readonly sealedIn?: string
  /** Column of the field, by which it can be filtered, sorted and written. */
  readonly stored?: C | undefined
  readonly embeds?: Embeds | undefined
  /** Set if the field shows ids of records without being a column. */
  readonly ids?: { readonly of: string; readonly isList: boolean; readonly through?: ThroughOne } | undefined
  readonly sql?: Sql | undefined
  /** Set if the field is hidden from some callers. The guard covers every use of its column. */
  readonly guard?: Guard | undefined
  /** Converts a shown value to columns of a mirror (`record-reader.ts`), if it is not the value of one column. */
  readonly readColumns?: ((value: unknown, record: Readonly<Record<string, unknown>>) => ReadColumns) | undefined
  /** The writer may return an empty text to leave the field out of the record. */
  readonly mayBeLeftOut?: boolean | undefined
  /** Returns the actual field, if it depends on its name and resource. */
  readonly within?: ((name: string, place: Place) => Field) | undefined
  schema(schemaOf: Embedder['schemaOf']): JsonSchema
  compile(scope: Scope, name: string): Writer
}

/** Adds a description, as a sentence, to a schema. */
export const withMeaning = (schema: JsonSchema, meaning: string | undefined): JsonSchema =>
  meaning === undefined ? schema : { ...schema, description: punctuated(meaning) }

export const punctuated = (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') {
    return { ...schema, type: [schema.type, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) }
  }
  return { anyOf: [schema, { type: 'null' }] }
}
