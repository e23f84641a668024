import type { Field } from './fields/field.ts'

/** What the webservice of a campus is called about a user for. */
export const CALLS = ['created', 'updated', 'closed', 'unclosed'] as const
export type Call = (typeof CALLS)[number]

/** A change that is an operation or has a name, or an update of one of these columns of the table. */
type Cause = {
  readonly changes?: readonly string[]
  readonly columns?: readonly string[]
  /** Whether nothing is sent of the record. */
  readonly isBare?: true
}

/** Which changes of a record are calls, and what is sent of it. */
export type CampusCalls<Column extends string = string> = {
  /** The column that refers to the user whom they are about; without one, the record is the user. */
  readonly user?: Column
  readonly on: Readonly<Partial<Record<Call, Cause>>>
  /** The representation `webservice`; without one that of the user is sent. */
  readonly record?: Readonly<Record<string, Field>>
}
