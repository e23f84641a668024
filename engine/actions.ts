import type { Handle } from './database/database.ts'
import type { SqlValue } from './database/sql-value.ts'
import type { Caller } from './http/caller.ts'

/** Values by name. */
export type Values = Readonly<Record<string, SqlValue>>

/** Input of a domain action. */
export type ActionInput<V = Values> = {
  /** The record, on everything but creation. */
  readonly id: number
  /** Read and checked values, by payload name; null for a blank. */
  readonly values: V
  readonly caller: Caller
  /** The names of what came along and is written after the record: `<assoc>_attributes`, `<name>_ids`. */
  readonly nestedKeys: ReadonlySet<string>
  /** On an update, the names of the values that were written: of a plain one those that the record did not have before. Given to `finish`. */
  readonly changed?: ReadonlySet<string>
  /** The caller may only write records of their own. */
  readonly ownOnly: boolean
  readonly now: Date
}

/** Changes the database inside the request's transaction and gives the record's id. */
export type Action<V = Values> = (tx: Handle, input: ActionInput<V>) => Promise<number>

/** A new record with the values that only this answer shows, by the names that the action declares in `once`. */
export type Created = { readonly id: number; readonly oneTimeValues: Readonly<Record<string, string | null>> }

/** Returns the column `id` for the insert of a new record, or no column if no id was chosen for it. */
export const chosenId = (values: object): { readonly id?: number } =>
  'id' in values && typeof values.id === 'number' ? { id: values.id } : {}

/** Returns the JSON text of an answer that is not a record. `render` writes records into it. */
export type QueryAction = (handle: Handle, input: QueryInput) => Promise<string>

export type QueryInput = Pick<ActionInput, 'id' | 'caller' | 'now'> &
  Renderer & {
    /** Values of the declared parameters that were sent. */
    readonly values: Values
  }

export type Renderer = {
  /** A record in one of its resource's representations as the caller sees it, as JSON text. */
  render(resource: string, representation: string, id: number): Promise<string>
}

/** How records hang below another where no table says so: the domain finds the rows that associate them when it is asked. */
export type FoundAssociation = {
  /** Which records these are, for the documents. */
  readonly note: string
  /** The columns of such a row, all whole numbers: the record's own id, then what else is said of it. */
  readonly columns: readonly [foreignKey: 'id', ...more: string[]]
  find(handle: Handle, parentId: number, now: Date): Promise<readonly (readonly number[])[]>
}
