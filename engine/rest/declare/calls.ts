import type { Field } from './fields/field.ts'

/** Change that causes a call: an operation or event, or an update of one of these columns. */
type Cause = {
  readonly changes?: readonly string[]
  readonly columns?: readonly string[]
  /** Sends no representation of the record. */
  readonly isBare?: true
}

/** Changes about which receivers are called. Every call is about a record of one resource, the subject. */
export type Calls<Column extends string = string> = Subject<Column> & {
  readonly on: Readonly<Record<string, Cause>>
  /** Fields of the representation `webservice`. Default: the representation of the subject. */
  readonly record?: Readonly<Record<string, Field>>
}

type Subject<Column extends string> =
  | {
      /** Column that names the subject to receivers. */
      readonly name: Column
      readonly subject?: never
    }
  | {
      readonly subject: Column
      readonly name?: never
    }
