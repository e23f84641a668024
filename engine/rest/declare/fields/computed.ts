import { aggregateCount } from '../../../database/aggregates.ts'
import { isParams } from '../../../http/params.ts'
import { type JoinTable, through } from '../association.ts'
import { narrowing } from '../association-sql.ts'
import { columnOf } from '../identifiers.ts'
import { column, literal, type Sql, sql, table } from '../sql.ts'
import { described } from './described.ts'
import { onceWithin } from './embeds.ts'
import { type Field, orNull, type Scope, type Writer } from './field.ts'
import { jsonText } from './json-text.ts'
import { type JsonSchema, type PublicAddresses, textKind, type WireContext } from './kinds.ts'
import { selectSql } from './select-sql.ts'

const BOOLEAN: JsonSchema = { type: 'boolean' }
const TEXT: JsonSchema = { type: 'string' }

/** A link below the service's address: `url('/v2/users/:login')`. `:name` stands for a column. */
export function url(template: string, { hidden = false } = {}): Field {
  const field = computed({ type: 'string', format: 'uri' }, (scope) => {
    const parts = template.split(/:(\w+)/)
    const pieces = parts.map((part, index) =>
      index % 2 === 0 ? escaped(part) : scope.select(columnOf(scope.alias, part)),
    )
    const start = `"${escaped(scope.wire.baseUrl)}`
    return (row) => {
      let out = start
      for (const piece of pieces) out += typeof piece === 'string' ? piece : encoded(row[piece] ?? '')
      return `${out}"`
    }
  })
  return { ...field, hidden }
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

/** Writes a path in the field as an address below `picturesUrl`. */
export const pictureAddress = <F extends Field>(field: F): F =>
  Object.freeze({
    ...field,
    ...(field.stored && { stored: { ...field.stored, fromShown: picturePathOf } }),
    compile: (scope: Scope, name: string): Writer => {
      const write = field.compile(scope, name)
      const start = `"${escaped(scope.wire.picturesUrl)}`
      return (row: Parameters<Writer>[0]) => {
        const json = write(row)
        return json.startsWith('"/') ? start + json.slice(1) : json
      }
    },
  })

/** Returns the path of a picture below `picturesUrl`, or below `baseUrl` as in older versions, else the value. */
export function picturePathOf(input: unknown, { picturesUrl, baseUrl }: PublicAddresses): unknown {
  if (typeof input !== 'string') return input
  if (input.startsWith(`${picturesUrl}/`)) return input.slice(picturesUrl.length)
  return input.startsWith(`${baseUrl}/uploads/`) || input.startsWith(`${baseUrl}/files/`)
    ? input.slice(baseUrl.length)
    : input
}

/** Encodes a text for a path. The test is cheaper than encoding, and most texts pass it. */
const encoded = (text: string) => (/^[\w.~-]*$/.test(text) ? text : encodeURIComponent(text))

/** Reports whether a column is set, as `locked?` does of `locked_at`. */
export const isSet = (column: string): Field => ({
  ...claim(column, `whether \`${column}\` is set`, (value) => value != null),
  readColumns: (value, record) => ({ [column]: value === true ? latestOf(record) : null }),
})

/** Reports whether a column is null, as `active?` does of `closed_at`. */
export const isNotSet = (column: string): Field => ({
  ...claim(column, `whether \`${column}\` is not set`, (value) => value == null),
  readColumns: (value, record) => ({ [column]: value === false ? latestOf(record) : null }),
})

/** Approximates the time at which the column was set, which the record does not show. */
const latestOf = ({ updated_at, created_at }: Readonly<Record<string, unknown>>) => updated_at ?? created_at

export const isWord = (column: string, word: string) =>
  claim(column, `whether \`${column}\` is \`${word}\``, (value) => value === word)

function claim(column: string, description: string, holds: (value: string | null | undefined) => boolean): Field {
  const field = computed(BOOLEAN, (scope) => {
    const at = scope.select(columnOf(scope.alias, column))
    return (row) => String(holds(row[at]))
  })
  return described(description, field)
}

/** The first of `names` that is set, a space, and `last`. */
export const joined = (names: readonly string[], last: string): Field =>
  computed(TEXT, (scope) => {
    const ats = names.map((name) => scope.select(columnOf(scope.alias, name)))
    const lastAt = scope.select(columnOf(scope.alias, last))
    return (row) => {
      for (const at of ats) if (row[at] != null) return jsonText(`${row[at]} ${row[lastAt] ?? ''}`.trimEnd())
      return 'null'
    }
  })

/** A column of text that shows a word instead while the flag column is true. */
export const masked = (name: string, flag: string, word: string): Field => ({
  ...sqlText(sql`case when ${column(flag)} then ${literal(word)} else ${column(name)} end`),
  stored: {
    kind: textKind({ max: 255, isOneLine: true }),
    nullable: true,
    column: name,
    fromShown: (input) => (input === word ? undefined : input),
  },
  readColumns: (value) => (value === word ? { [flag]: true } : { [name]: value, [flag]: false }),
})

/** Null, for clients that expect the field. */
export const alwaysNull: Field = described(
  'always null, for clients that expect it',
  computed({ type: 'null' }, () => () => 'null'),
)

/** A text made from columns, or null. */
export const derived = (columns: readonly string[], make: Make): Field => derivedWith(() => make, columns)

type Make = (values: readonly (string | null)[]) => string | null
type MakeSigned = (values: readonly (string | null)[], sign: (path: string) => string) => string | null

const signedBelow = (columns: readonly string[], make: MakeSigned, baseOf: (wire: WireContext) => string): Field =>
  derivedWith(({ expire, wire }) => {
    expire()
    const sign = (path: string) => wire.signed(path, baseOf(wire))
    return (values) => make(values, sign)
  }, columns)

/** An address made from columns that opens without a token for a while, or null. */
export const signedAddress = (columns: readonly string[], make: MakeSigned): Field =>
  signedBelow(columns, make, ({ baseUrl }) => baseUrl)

/** Like `signedAddress`, but below `picturesUrl`. */
export const signedPicture = (columns: readonly string[], make: MakeSigned): Field =>
  signedBelow(columns, make, ({ picturesUrl }) => picturesUrl)

const derivedWith = (prepare: (scope: Scope) => Make, columns: readonly string[]): Field =>
  computed(orNull(TEXT), (scope) => {
    const make = prepare(scope)
    const ats = columns.map((name) => scope.select(columnOf(scope.alias, name)))
    return (row) => textOrNull(make(ats.map((at) => row[at] ?? null)))
  })

const textOrNull = (text: string | null | undefined) => (text == null ? 'null' : jsonText(text))

/** The texts of these columns, separated by commas. Columns in a nested list are separated by spaces. */
export const addressOf = (parts: readonly (string | readonly string[])[]): Field =>
  computed(TEXT, (scope) => {
    const ats = parts.map((part) => [part].flat().map((name) => scope.select(columnOf(scope.alias, name))))
    return (row) => {
      const texts = ats.map((places) => places.flatMap((at) => row[at] || []).join(' '))
      return jsonText(texts.filter((text) => text !== '').join(', '))
    }
  })

/** The number of rows of a join table that refer to this record. */
export const countOf = <R extends string>({ table: joined, keys, unless, only, current }: JoinTable<R>): Field =>
  onceWithin((name, { resource }) => {
    const [, foreignKey] = Object.entries<string>(keys).find(([name]) => name === resource) ?? []
    if (foreignKey === undefined)
      throw new Error(`${resource}.${name} counts ${joined}, which does not join ${resource}`)
    if (current) throw new Error(`${resource}.${name} cannot be counted by the clock`)
    const rows = table(joined)
    const narrowed = rows.row(narrowing({ unless, only }))
    const counted = sql`(select count(*) from ${rows} where ${rows.column(foreignKey)} = ${column('id')}${narrowed})`
    return computed({ type: 'integer' }, (scope) => {
      const stored =
        unless === undefined && only === undefined
          ? aggregateCount(joined, scope.embed.aggregatesOf(joined), foreignKey, `${scope.alias}.id`)
          : undefined
      if (stored) scope.dependOn(joined)
      const at = stored ? scope.select(stored) : selectSql(scope, counted)
      return (row) => row[at] ?? '0'
    })
  })

/** JSON that SQL computes as text. `otherwise` replaces null. */
export const sqlJson = (schema: JsonSchema, selected: Sql, otherwise = 'null'): Field =>
  sqlField(schema, selected, (value) => value ?? otherwise)

export const sqlInteger = (selected: Sql): Field => sqlJson({ type: 'integer' }, selected)

export const sqlText = (selected: Sql): Field => sqlField(orNull(TEXT), selected, textOrNull)

const sqlField = (schema: JsonSchema, selected: Sql, write: (value: string | null | undefined) => string): Field => ({
  ...computed(schema, (scope) => {
    const at = selectSql(scope, selected)
    return (row) => write(row[at])
  }),
  sql: selected,
})

type Joined<R extends string> = {
  readonly through: JoinTable<R>
  /** Column of this row that the join table refers to. Defaults to `id`. */
  readonly by?: string
}

/** The ids of records of `of` that a join table associates with this record, in ascending order. */
export const idsOf = <R extends string>(of: R, { through: joined, by = 'id' }: Joined<NoInfer<R>>): Field => {
  const { table: name, foreignKey, otherKey } = through(joined, of)
  const between = table(name, 'b')
  const id = between.column(otherKey)
  const rows = sql`${between} where ${between.column(foreignKey)} = ${column(by)}`
  const ids = {
    of,
    isList: true,
    ...(by === 'id' ? { through: { table: name, foreignKey: otherKey, otherKey: foreignKey } } : {}),
  }
  return { ...listed({ type: 'integer' }, sql`(select json_agg(${id} order by ${id}) from ${rows})::text`), ids }
}

/** The names of records of `of` that a join table associates with this record. */
export const namesOf = <R extends string>(of: R, { through: joined, by = 'id' }: Joined<NoInfer<R>>): Field => {
  const { table: name, foreignKey, otherKey } = through(joined, of)
  const between = table(name, 'b')
  const other = table(of, 'o')
  const joint = sql`${between} join ${other} on ${other.column('id')} = ${between.column(otherKey)}`
  const rows = sql`${joint} where ${between.column(foreignKey)} = ${column(by)}`
  return listed(TEXT, sql`(select json_agg(${other.column('name')} order by ${other.column('id')}) from ${rows})::text`)
}

/** A list that SQL computes as JSON text. Null becomes an empty list. */
export const listed = (items: JsonSchema, selected: Sql): Field => sqlJson({ type: 'array', items }, selected, '[]')

const SIZES = ['large', 'medium', 'small', 'micro'] as const

type DefaultPicture = {
  readonly columns: readonly string[]
  readonly pathOf: (...values: readonly (string | null)[]) => string
  /** Recognizes the address of such a picture, which clients may send back. */
  readonly isOne: (address: string) => boolean
}

/** Links to a picture and its smaller versions, whose file names begin with their size. */
export const picture = (column: string, instead: DefaultPicture): Field => {
  // Former releases answered null.
  const link = { type: ['string', 'null'], description: 'Address of the picture.' }
  const versions = Object.fromEntries(SIZES.map((size) => [size, link]))
  const schema = objectSchema({ link, versions: { ...objectSchema(versions), description: 'Smaller ones.' } })
  const field = computed(schema, (scope) => {
    const at = scope.select(columnOf(scope.alias, column))
    const from = instead.columns.map((name) => scope.select(columnOf(scope.alias, name)))
    const base = escaped(scope.wire.picturesUrl)
    return (row) => writePicture(row[at] ?? instead.pathOf(...from.map((place) => row[place] ?? null)), base)
  })
  return {
    ...field,
    stored: {
      kind: textKind({ max: 2048, isOneLine: true }),
      nullable: true,
      column,
      fromShown(input, wire) {
        const link = isParams(input) && typeof input.link === 'string' ? input.link : input
        return typeof link === 'string' && instead.isOne(link) ? undefined : picturePathOf(link, wire)
      },
    },
    readColumns(value) {
      const link = isParams(value) ? value.link : value
      return { [column]: typeof link === 'string' && instead.isOne(link) ? null : link }
    },
  }
}

function writePicture(link: string, base: string): string {
  // JSON never escapes a slash, so the escaped text can be split at one.
  const text = jsonText(link).slice(1, -1)
  const whole = text.startsWith('/') ? base + text : text
  const cut = whole.lastIndexOf('/') + 1
  const folder = whole.slice(0, cut)
  const file = whole.slice(cut)
  let versions = ''
  for (const size of SIZES) versions += `${versions === '' ? '' : ','}"${size}":"${folder}${size}_${file}"`
  return `{"link":"${whole}","versions":{${versions}}}`
}

export const objectSchema = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

function computed(schema: JsonSchema, compile: (scope: Scope) => Writer): Field {
  return Object.freeze({ hidden: false, schema: () => schema, compile })
}
