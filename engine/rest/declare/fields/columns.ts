import { defined } from '../../../base/defined.ts'
import { columnOf } from '../identifiers.ts'
import { type Bounds, bounded, idKind } from './bounds.ts'
import { monthKind, yearKind } from './calendar-kinds.ts'
import { durationKind } from './duration-kind.ts'
import { type Column, type Field, orNull } from './field.ts'
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

type ColumnOptions = {
  /** May be null. Fields that are not shown in the record are `hidden`. */
  readonly nullable?: boolean
  readonly hidden?: boolean
  /** The column's name, where it is not the field's. */
  readonly column?: string
  /** Values are compared without case. */
  readonly anyCase?: boolean
  /** A new record must have a value of it (a parent in the path counts), and no update takes it away. */
  readonly required?: boolean
}

type NumberOptions = ColumnOptions & Bounds
type TextRules = NonNullable<Parameters<typeof textKind>[0]>

type IsNullable<O> = O extends { readonly nullable: infer N extends boolean } ? N : false
type KindOf<K> = K extends Kind<infer T> ? T : never
type RequiredOf<O> = O extends { readonly required: true } ? { readonly required: true } : unknown
type Stored<T extends SqlValue, O> = Field<Column<T, IsNullable<O>> & RequiredOf<O>>

export const integer = <const O extends NumberOptions>(options?: O): Stored<number, O> => {
  const { min, max, oneOf, unit, ...rest } = options ?? {}
  return column(bounded(integerKind, { min, max, oneOf, unit }), rest)
}
export const float = <const O extends NumberOptions>(options?: O): Stored<number, O> => {
  const { min, max, unit, ...rest } = options ?? {}
  return column(bounded(floatKind, { min, max, unit }), rest)
}
export const boolean = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof booleanKind>, O>(booleanKind, options)
export const time = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof timeKind>, O>(timeKind, options)
export const date = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof dateKind>, O>(dateKind, options)
/** A text. With a maximum length it is a single line unless `isOneLine` is false; without one it may have several lines. */
export const text = <const O extends ColumnOptions & TextRules>(options?: O): Stored<string, O> => {
  const { max, pattern, isOneLine = max !== undefined, mayBeEmpty, normalize, ...rest } = options ?? {}
  return column(textKind({ max, pattern, isOneLine, mayBeEmpty, normalize }), rest)
}

/** A text that is shown as an empty one where there is none, for clients that take no null. */
export const textOrEmpty = (rules: TextRules) => {
  const field = text({ ...rules, nullable: true })
  return Object.freeze({
    ...field,
    schema: () => textKind(rules).schema,
    compile: (scope, name) => {
      const write = field.compile(scope, name)
      return (row) => {
        const json = write(row)
        return json === 'null' ? '""' : json
      }
    },
  } satisfies typeof field)
}

/** Column that identifies a record in paths, besides the id. */
export const slug = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof slugKind>, O>(slugKind, options)

/** A length of time that clients write in quarters of an hour and read in seconds. */
export const duration = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof durationKind>, O>(durationKind, options)

/** When the record was created and last changed: the database gives both. */
export const timestamps = <const O extends ColumnOptions>(options?: O) => ({
  created_at: time(options),
  updated_at: time(options),
})

/** A list of texts, kept as JSON in a column of text. */
export const texts = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof textsKind>, O>(textsKind, options)

/** One of a list of words. */
export const choice = <const W extends string, const O extends ColumnOptions>(words: readonly W[], options?: O) =>
  column<W, O>(choiceKind(words), options)

/** An English month in small letters. */
export const month = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof monthKind>, O>(monthKind, options)

/** A year as a text of four digits. */
export const year = <const O extends ColumnOptions>(options?: O) =>
  column<KindOf<typeof yearKind>, O>(yearKind, options)

/** A column of a kind of its own. */
export const ofKind = <T extends SqlValue, const O extends ColumnOptions>(kind: Kind<T>, options?: O) =>
  column<T, O>(kind, options)

/** The id of another resource. */
export const reference = <const O extends ColumnOptions>(resource: string, options?: O): Stored<number, O> => {
  const field = column<number, O>(idKind, options)
  return { ...field, stored: { ...defined(field.stored), references: resource } }
}

/** A date shown as midnight in the time zone of the service, with its offset. */
export function zonedDate<const O extends ColumnOptions>(options?: O): Stored<string, O> {
  const field = column<string, O>(dateKind, options)
  return {
    ...field,
    schema: () => nullIf(options, { type: 'string', format: 'date-time' }),
    compile: (scope, name) =>
      writeColumn(zonedDateKind(scope.wire.timeZone), columnOf(scope.alias, options?.column ?? name), scope),
  }
}

function column<T extends SqlValue, O>(kind: Kind<T>, options: ColumnOptions | undefined): Stored<T, O>
// `O` is the type of the options.
function column(kind: Kind, options: ColumnOptions | undefined): Field<Column> {
  return Object.freeze({
    hidden: options?.hidden ?? false,
    stored: storedAs(kind, options),
    schema: () => nullIf(options, kind.schema),
    compile: (scope, name) => writeColumn(kind, columnOf(scope.alias, options?.column ?? name), scope),
  } satisfies Field)
}

const storedAs = (kind: Kind, options: ColumnOptions | undefined): Column => ({
  kind,
  nullable: options?.nullable ?? false,
  column: options?.column,
  anyCase: options?.anyCase,
  required: options?.required,
})

const nullIf = (options: ColumnOptions | undefined, schema: Kind['schema']) =>
  options?.nullable ? orNull(schema) : schema

function writeColumn(kind: Kind, sql: string, scope: Parameters<Field['compile']>[0]): ReturnType<Field['compile']> {
  const at = scope.select(sql)
  const { write } = kind
  return (row) => {
    const value = row[at]
    return value == null ? 'null' : write(value)
  }
}
