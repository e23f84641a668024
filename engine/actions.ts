import type { Handle } from './database/database.ts'
import type { SqlValue } from './database/sql-value.ts'
import type { Caller } from './http/caller.ts'

export type Values = Readonly<Record<string, SqlValue>>

export type ActionInput<V = Values> = {
  readonly id: number
  /** Parsed values by payload name. A blank value is null. */
  readonly values: V
  readonly caller: Caller
  /** Names of the nested payloads, which are written after the record: `<assoc>_attributes`, `<name>_ids`. */
  readonly nestedKeys: ReadonlySet<string>
  /** Names of the values that an update wrote. A plain value counts only if it differs from the record. Given to `finish`. */
  readonly changed?: ReadonlySet<string>
  /** The caller may only write records of their own. */
  readonly ownOnly: boolean
  readonly now: Date
}

/** Changes the database inside the request's transaction and returns the record's id. */
export type Action<V = Values> = (tx: Handle, input: ActionInput<V>) => Promise<number>

/** A new record with the values that only this answer shows, by the names that the action declares in `once`. */
export type Created = { readonly id: number; readonly oneTimeValues: Readonly<Record<string, string | null>> }

/** Returns the column `id` for the insert of a new record, or no column if no id was chosen for it. */
export const chosenId = (values: object): { readonly id?: number } =>
  'id' in values && typeof values.id === 'number' ? { id: values.id } : {}

/** Returns the JSON text of an answer that is not a record. */
export type QueryAction = (handle: Handle, input: QueryInput) => Promise<string>

export type QueryInput = Pick<ActionInput, 'id' | 'caller' | 'now'> &
  Renderer & {
    readonly values: Values
  }

export type Renderer = {
  /** Returns the JSON text of a record in one of its representations, as the caller sees it. */
  render(resource: string, representation: string, id: number): Promise<string>
}

/** An association that no table stores. The domain finds its rows when they are read. */
export type FoundAssociation = {
  readonly note: string
  /** Integer columns of a row: the id of the associated record, then further values of the association. */
  readonly columns: readonly [foreignKey: 'id', ...more: string[]]
  find(handle: Handle, parentId: number, now: Date): Promise<readonly (readonly number[])[]>
}
