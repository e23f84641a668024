import type { Aggregates } from '../../../database/aggregates.ts'
import type { TextRow } from '../../../database/text-query.ts'
import type { ThroughOne } from '../association.ts'
import type { Guard } from '../guard.ts'
import type { Sql } from '../sql.ts'
import type { JsonSchema, Kind, PublicAddresses, SqlValue, WireContext } from './kinds.ts'

/** Writes one field of a row as JSON. */
export type Writer = (row: TextRow) => string

/** State of compiling a representation: the row that is selected, and the expressions that have been selected so far. */
export type Scope = {
  /** The table's name in the statement. */
  readonly alias: string
  readonly wire: WireContext
  /** Set for rows in a list: the record that holds the list. */
  readonly holder?: Holder | undefined
  /** Adds an expression to what is selected and gives its place in the row. */
  select(sql: string): number
  /** Joins the row of `table` that the key `on` of this row points at; gives the scope of that row. */
  join(table: string, on: string): Scope
  /** The scope of the join table's row between the record and its parent in the path. */
  joinTable(): Scope
  /** A fresh alias that nothing else in the statement has. */
  freshAlias(): string
  /** Says that what is written depends on who reads it, and when. */
  guard(): void
  /** Says that what is written holds for a while only, as addresses do that open without a token. */
  expire(): void
  /** Says that what is written depends on this table too. */
  dependOn(table: string): void
  /** Embeds other resources (`represent/representation.ts`). */
  readonly embed: Embedder
}

/** The record that holds a list, as the rows in the list see it: their column `by` points back at it. */
export type Holder = {
  readonly resource: string
  readonly by: string
  /** Writes the holder itself, once for all of its rows. */
  write(representation: string): Writer
}

export type Embedder = {
  /** Compiles another resource's representation onto a row of it that `scope` has joined; the writer takes the whole row. */
  inline(resource: string, representation: string, scope: Scope): Writer
  /** A resource that is cached as finished JSON by id, or undefined when it is not of that sort and need not be. */
  cached(resource: string, representation: string, needed?: boolean): ((id: string) => string) | undefined
  /** Marks the place of a record by its id, to be read once for all records of a page (`represent/deferred-embeds.ts`). */
  deferred(resource: string, representation: string): (id: string) => string
  /** Does the same as `cached` for one field of such a resource. */
  cachedField(resource: string, name: string, field: Field, needed?: boolean): ((id: string) => string) | undefined
  /** A sub-select that gathers rows of another resource, and the writer of what it gives. */
  gather(resource: string, representation: string, scope: Scope, rows: GatheredRows): Writer
  tableOf(resource: string): string
  /** Returns the counts that the database keeps of a table. */
  aggregatesOf(table: string): Aggregates | undefined
  schemaOf(resource: string, representation: string): JsonSchema
}

/** Which rows a list in a record holds. */
export type GatheredRows = {
  /** How a gathered row is associated with this one: by a column of its own, or through a join table. */
  readonly association: string | ThroughOne
  /** The column of this row that the association leads to; its id unless said. */
  readonly by?: string | undefined
  readonly order?: string | undefined
  /** Rows of the record's own table: below each of them are its own, to any depth. */
  readonly nested?: boolean | undefined
  /** A page asks for them in a statement of its own: each once, however many of its records show it. */
  readonly deferred?: boolean | undefined
  /** A column of the gathered row that must be true, or must hold a word. */
  readonly only?: string | readonly [column: string, word: string] | undefined
}

/** A stored field: a column of the resource's own table. */
export type Column<T extends SqlValue = SqlValue, N extends boolean = boolean> = {
  readonly kind: Kind<T>
  readonly nullable: N
  /** The resource whose id it holds. */
  readonly references?: string | undefined
  /** The column's name, where it is not the field's. */
  readonly column?: string | undefined
  /** Whether a new record must have a value of it; an update cannot take it away then. */
  readonly required?: boolean | undefined
  /** Names of it are the same in any capitals (`fold.ts`). */
  readonly anyCase?: boolean | undefined
  /** Description of a value that only payloads have. */
  readonly description?: string | undefined
  /**
   * Converts a sent value, which may be the value that the API shows, to a value that `kind` reads. Returns undefined if the
   * column keeps its value.
   */
  readonly fromShown?: ((input: unknown, wire: PublicAddresses) => unknown) | undefined
  /** How a client's value is stored, where that is not as itself in its column. */
  readonly storing?: { readonly kind: Kind; columns(value: SqlValue): Readonly<Record<string, SqlValue>> } | undefined
}

/** A value that is sent and that no column of the record holds, as what an action takes. */
export type Parameter = Column

/** Which other records a field shows: the one that the column `by` points at, or those of `rows`. */
export type Embeds = {
  readonly resource: string
  readonly representation: string
} & ({ readonly by: string; readonly rows?: undefined } | { readonly rows: GatheredRows; readonly by?: undefined })

/** The resource of a field, and the other fields as they were declared. */
export type Place = {
  readonly resource: string
  readonly singular: string
  readonly fields: Readonly<Record<string, Field>>
}

/** Columns of a row with their values as JSON has them. */
export type ReadColumns = Readonly<Record<string, unknown>>

/** One named part of a record. The name is its key in the declaration. */
export type Field<C extends Column = Column> = {
  /** Description for the documents. If it is missing, the kind or the name of the field supplies one (`meaning.ts`). */
  readonly description?: string | undefined
  /** Not shown in the `record` representation; there to be filtered, sorted or written. */
  readonly hidden: boolean
  /** The column, as `table.column`, that a secret is sealed in. */
  readonly sealedIn?: string
  /** Set when the field is a column, so that it can be filtered, ranged, sorted and written. */
  readonly stored?: C | undefined
  /** Set when the field shows other records. */
  readonly embeds?: Embeds | undefined
  /** Set when the field shows ids of records of this resource and is no column: one id, or a list of them. */
  readonly ids?: { readonly of: string; readonly isList: boolean; readonly through?: ThroughOne } | undefined
  /** SQL on the row that computes the field, if there is any. */
  readonly sql?: Sql | undefined
  /** Set when the field is hidden from some: whatever looks at its column follows. */
  readonly guard?: Guard | undefined
  /** Converts a shown value to columns of the row, if it is not the value of one column (`record-reader.ts` of the mirror). */
  readonly readColumns?: ((value: unknown, record: Readonly<Record<string, unknown>>) => ReadColumns) | undefined
  /** The writer may give an empty text: the record then goes without the field. */
  readonly mayBeLeftOut?: boolean | undefined
  /** Set where more of it follows from the resource that it stands in: the field as it is there. */
  readonly within?: ((name: string, place: Place) => Field) | undefined
  schema(schemaOf: Embedder['schemaOf']): JsonSchema
  compile(scope: Scope, name: string): Writer
}

/** The same schema, with a clause about what it is as a sentence. */
export const withMeaning = (schema: JsonSchema, meaning: string | undefined): JsonSchema =>
  meaning === undefined ? schema : { ...schema, description: punctuated(meaning) }

/** A clause as a sentence; one that begins with code keeps its first letter. */
export const punctuated = (clause: string) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`

/** The same schema, with null allowed. */
export function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') {
    return { ...schema, type: [schema.type, 'null'], ...(schema.enum ? { enum: [...schema.enum, null] } : {}) }
  }
  return { anyOf: [schema, { type: 'null' }] }
}
