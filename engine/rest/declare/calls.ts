import type { Field } from './fields/field.ts'

/** A change that is an operation or has a name, or an update of one of these columns of the table. */
type Cause = {
  readonly changes?: readonly string[]
  readonly columns?: readonly string[]
  /** Whether nothing is sent of the record. */
  readonly isBare?: true
}

/**
 * Changes of records about which receivers are called. Calls are about records of one resource, the subjects. Other resources
 * declare calls about the subject that they refer to.
 */
export type Calls<Column extends string = string> = Subject<Column> & {
  /** Causes of the calls, by the name of the call. */
  readonly on: Readonly<Record<string, Cause>>
  /** Fields of the representation `webservice`. Defaults to the representation of the subject. */
  readonly record?: Readonly<Record<string, Field>>
}

type Subject<Column extends string> =
  | {
      /** Column that names the subject to receivers. The resource holds the subjects. */
      readonly name: Column
      readonly subject?: never
    }
  | {
      /** The column that refers to the subject. */
      readonly subject: Column
      readonly name?: never
    }
