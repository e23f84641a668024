import { type Bounds, bounded, idKind } from './bounds.ts'
import { monthKind, yearKind } from './calendar-kinds.ts'
import { type Column, columnOf, type Field, orNull } from './field.ts'
import {
  booleanKind,
  choiceKind,
  dateKind,
  floatKind,
  integerKind,
  type Kind,
  slugKind,
  textKind,
  textsKind,
  timeKind,
  zonedDateKind,
} from './kinds.ts'

type ColumnOptions = {
  /** May be null. Fields that are not shown in the record are `hidden`. */
  readonly nullable?: boolean
  readonly hidden?: boolean
  /** The column's name, where it is not the field's. */
  readonly column?: string
}

type NumberOptions = ColumnOptions & Bounds

export const integer = ({ min, max, oneOf, unit, ...options }: NumberOptions = {}) =>
  column(bounded(integerKind, { min, max, oneOf, unit }), options)
export const float = ({ min, max, unit, ...options }: NumberOptions = {}) =>
  column(bounded(floatKind, { min, max, unit }), options)
export const boolean = (options: ColumnOptions = {}) => column(booleanKind, options)
export const time = (options: ColumnOptions = {}) => column(timeKind, options)
export const date = (options: ColumnOptions = {}) => column(dateKind, options)
export const text = ({ max, pattern, ...options }: ColumnOptions & NonNullable<Parameters<typeof textKind>[0]> = {}) =>
  column(textKind({ max, pattern }), options)

/** What stands for the id of a record in paths. */
export const slug = (options: ColumnOptions = {}) => column(slugKind, options)

/** A list of texts, kept as JSON in a column of text. */
export const texts = (options: ColumnOptions = {}) => column(textsKind, options)

/** One of the words that the specification lists. */
export const choice = (words: readonly string[], options: ColumnOptions = {}) => column(choiceKind(words), options)

/** An English month in small letters. */
export const month = (options: ColumnOptions = {}) => column(monthKind, options)

/** A year as a text of four digits. */
export const year = (options: ColumnOptions = {}) => column(yearKind, options)

/** The id of another resource. */
export const reference = (resource: string, options: ColumnOptions = {}): Field => ({
  ...column(idKind, options),
  stored: { ...storedAs(idKind, options), references: resource },
})

/** A date shown as midnight in the school's zone, with its offset. */
export function zonedDate(options: ColumnOptions = {}): Field {
  const field = column(dateKind, options)
  return {
    ...field,
    schema: () => nullIf(options, { type: 'string', format: 'date-time' }),
    compile: (scope, name) =>
      writeColumn(zonedDateKind(scope.wire.timeZone), columnOf(scope.alias, options.column ?? name), scope),
  }
}

function column(kind: Kind, options: ColumnOptions): Field {
  return Object.freeze({
    hidden: options.hidden ?? false,
    stored: storedAs(kind, options),
    schema: () => nullIf(options, kind.schema),
    compile: (scope, name) => writeColumn(kind, columnOf(scope.alias, options.column ?? name), scope),
  } satisfies Field)
}

const storedAs = (kind: Kind, { nullable = false, column: name }: ColumnOptions): Column => ({
  kind,
  nullable,
  column: name,
})

const nullIf = ({ nullable }: ColumnOptions, schema: Kind['schema']) => (nullable ? orNull(schema) : schema)

function writeColumn(kind: Kind, sql: string, scope: Parameters<Field['compile']>[0]): ReturnType<Field['compile']> {
  const at = scope.select(sql)
  const { write } = kind
  return (row) => {
    const value = row[at]
    return value == null ? 'null' : write(value)
  }
}
