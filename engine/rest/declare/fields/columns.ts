import { defined } from '../../../base/defined.ts'
import { columnOf } from '../identifiers.ts'
import { type Bounds, bounded, idKind } from './bounds.ts'
import { monthKind, yearKind } from './calendar-kinds.ts'
import { durationKind } from './duration-kind.ts'
import { type Column, type Field, orNull, type Scope, type Writer } from './field.ts'
import {
  booleanKind,
  choiceKind,
  dateKind,
  floatKind,
  integerKind,
  type Kind,
  type SqlValue,
  slugKind,
  textKind,
  textsKind,
  timeKind,
  zonedDateKind,
} from './kinds.ts'
import { rewritten } from './rewritten.ts'

type ColumnOptions = {
  readonly nullable?: boolean
  /** Leaves the field out of the representation `record`. */
  readonly hidden?: boolean
  /** Defaults to the name of the field. */
  readonly column?: string
  /** Compares values without case. */
  readonly anyCase?: boolean
  /** A new record needs a value, or a parent in the path that gives one. No update can remove the value. */
  readonly required?: boolean
}

type NumberOptions = ColumnOptions & Bounds
type TextRules = NonNullable<Parameters<typeof textKind>[0]>

type IsNullable<O> = O extends { readonly nullable: infer N extends boolean } ? N : false
type RequiredOf<O> = O extends { readonly required: true } ? { readonly required: true } : unknown
type Stored<T extends SqlValue, O> = Field<Column<T, IsNullable<O>> & RequiredOf<O>>

export const integer = <const O extends NumberOptions>(options?: O) => ofKind(bounded(integerKind, options), options)
export const float = <const O extends NumberOptions>(options?: O) => ofKind(bounded(floatKind, options), options)
export const boolean = <const O extends ColumnOptions>(options?: O) => ofKind(booleanKind, options)
export const time = <const O extends ColumnOptions>(options?: O) => ofKind(timeKind, options)
export const date = <const O extends ColumnOptions>(options?: O) => ofKind(dateKind, options)

/** A text. With a maximum length it is a single line unless `isOneLine` is false. */
export const text = <const O extends ColumnOptions & TextRules>(options?: O) =>
  ofKind(textKind({ ...options, isOneLine: options?.isOneLine ?? options?.max !== undefined }), options)

/** A text that shows null as an empty text, for clients that do not expect null. */
export const textOrEmpty = (rules: TextRules) =>
  Object.freeze({
    ...rewritten(text({ ...rules, nullable: true }), (json) => (json === 'null' ? '""' : json)),
    schema: () => textKind(rules).schema,
  })

/** Text that identifies a record in paths, besides the id. */
export const slug = <const O extends ColumnOptions>(options?: O) => ofKind(slugKind, options)

/** A duration that clients write in quarters of an hour and read in seconds. */
export const duration = <const O extends ColumnOptions>(options?: O) => ofKind(durationKind, options)

/** Times of creation and last change, which the database sets. */
export const timestamps = <const O extends ColumnOptions>(options?: O) => ({
  created_at: time(options),
  updated_at: time(options),
})

/** A list of texts, stored as JSON in a column of text. */
export const texts = <const O extends ColumnOptions>(options?: O) => ofKind(textsKind, options)

export const choice = <const W extends string, const O extends ColumnOptions>(words: readonly W[], options?: O) =>
  ofKind(choiceKind(words), options)

export const month = <const O extends ColumnOptions>(options?: O) => ofKind(monthKind, options)

export const year = <const O extends ColumnOptions>(options?: O) => ofKind(yearKind, options)

/** The id of a record of another resource. */
export const reference = <const O extends ColumnOptions>(resource: string, options?: O): Stored<number, O> => {
  const field = ofKind(idKind, options)
  return { ...field, stored: { ...defined(field.stored), references: resource } }
}

/** A date shown as midnight in the time zone of the service, with its offset. */
export function zonedDate<const O extends ColumnOptions>(options?: O): Stored<string, O> {
  return {
    ...ofKind(dateKind, options),
    schema: () => nullIf(options, { type: 'string', format: 'date-time' }),
    compile: (scope, name) => writeColumn(zonedDateKind(scope.wire.timeZone), scope, options?.column ?? name),
  }
}

export function ofKind<T extends SqlValue, const O extends ColumnOptions>(kind: Kind<T>, options?: O): Stored<T, O>
export function ofKind(kind: Kind, options: ColumnOptions = {}): Field<Column> {
  const { hidden = false, nullable = false, column, anyCase, required } = options
  return Object.freeze({
    hidden,
    stored: { kind, nullable, column, anyCase, required },
    schema: () => nullIf(options, kind.schema),
    compile: (scope, name) => writeColumn(kind, scope, column ?? name),
  } satisfies Field)
}

const nullIf = (options: ColumnOptions | undefined, schema: Kind['schema']) =>
  options?.nullable ? orNull(schema) : schema

function writeColumn(kind: Kind, scope: Scope, column: string): Writer {
  const at = scope.select(columnOf(scope.alias, column))
  const { write } = kind
  return (row) => {
    const value = row[at]
    return value == null ? 'null' : write(value)
  }
}
