import { literal as quoted } from '../../database/literal.ts'
import { columnOf, quote } from './identifiers.ts'
import { NOW, PERSON, ROLES, SCOPES } from './placeholders.ts'

type ReadColumn = { readonly table?: string; readonly column: string; readonly bypassesGuard?: boolean }

/** The times in a column, or `minutesBefore` minutes earlier. `table` defaults to the row's own. */
export type TimeDependency = { readonly table?: string; readonly column: string; readonly minutesBefore?: number }

/** Everything that SQL reads. A cached response is valid until one of these changes. */
export type Reads = {
  readonly tables: readonly string[]
  readonly columns: readonly ReadColumn[]
  /** Times at which the result changes without a write. Undefined if the result may change at any time. */
  readonly timeDependencies: readonly TimeDependency[] | undefined
  readonly byCaller: boolean
  /** Names of functions that the service defines in the database. */
  readonly functions: readonly string[]
}

export type Place = {
  readonly alias: string
  /** SQL of the time of the request. Defaults to a placeholder. */
  readonly now?: () => string
}

/** SQL that records what it reads. `P` is the context that its text needs, such as the values of a filter. */
export class Sql<P extends Place = Place> implements Reads {
  readonly tables: readonly string[]
  readonly columns: readonly ReadColumn[]
  readonly timeDependencies: readonly TimeDependency[] | undefined
  readonly byCaller: boolean
  readonly functions: readonly string[]
  /** Columns of the row that the result discloses. */
  readonly disclosed: readonly string[]
  readonly write: (place: P) => string
  /** Text with `x` in place of each identifier and value, to compare the form of SQL. */
  readonly shape: string

  constructor(reads: Partial<Reads & { readonly shape: string }>, write: (place: P) => string) {
    this.tables = reads.tables ?? []
    this.columns = reads.columns ?? []
    this.timeDependencies = 'timeDependencies' in reads ? reads.timeDependencies : []
    this.byCaller = reads.byCaller ?? false
    this.functions = reads.functions ?? []
    const disclosed = this.columns.filter(({ table, bypassesGuard }) => table === undefined && !bypassesGuard)
    this.disclosed = [...new Set(disclosed.map(({ column }) => column))]
    this.write = write
    this.shape = reads.shape ?? 'x'
  }
}

class Column extends Sql {
  readonly read: ReadColumn

  constructor(read: ReadColumn, write: (place: Place) => string) {
    super({ columns: [read] }, write)
    this.read = read
  }
}

class Literal extends Sql {
  readonly value: string

  constructor(value: string) {
    super({}, () => quoted(value))
    this.value = value
  }
}

class Time extends Sql {
  readonly minutes: number

  constructor(minutes: number) {
    const ahead = minutes === 0 ? '' : ` + interval '${minutes} minutes'`
    super({ timeDependencies: undefined }, ({ now }) => (now?.() ?? NOW) + ahead)
    this.minutes = minutes
  }
}

class Template<P extends Place> extends Sql<P> {
  readonly texts: readonly string[]
  readonly parts: readonly Sql<P>[]

  constructor(texts: readonly string[], parts: readonly Sql<P>[]) {
    const join = (written: readonly string[]) => texts.map((text, at) => text + (written[at] ?? '')).join('')
    const shape = join(parts.map((part) => part.shape))
    super({ ...readsOf(parts), timeDependencies: timesOf(texts, parts), shape }, (place) =>
      join(parts.map((part) => part.write(place))),
    )
    this.texts = texts
    this.parts = parts
  }
}

/**
 * Builds SQL on a row, as in `` sql`${column('begin_at')} > ${now}` ``, and records what it reads. Interpolate columns,
 * tables, functions of the database, the time and the caller. Throws if the text names a table or calls a function of
 * the database.
 */
export function sql<P extends Place>(texts: TemplateStringsArray, ...parts: readonly Sql<P>[]): Sql<P> {
  checkTexts(texts, parts)
  return new Template(texts, parts)
}

export const column = (name: string): Sql => new Column({ column: name }, ({ alias }) => columnOf(alias, name))

/** Returns a text literal, or a literal array of texts. */
export const literal = (value: string | readonly string[]): Sql =>
  typeof value === 'string'
    ? new Literal(value)
    : new Sql({}, () => `array[${value.map((text) => quoted(text)).join(', ')}]`)

/**
 * The time of the request. The result of `column > now` or `column <= now` changes at the time in the column. A result
 * of any other use may change at any time and is never cached.
 */
export const now: Sql = new Time(0)

export const minutesFromNow = (minutes: number): Sql => new Time(minutes)

const ofCaller = (placeholder: string) => new Sql({ byCaller: true }, () => placeholder)

export const caller = {
  /** User id of the token. It is null if an application acts for itself. */
  person: ofCaller(PERSON),
  roles: ofCaller(ROLES),
  scopes: ofCaller(SCOPES),
}

class Table extends Sql {
  readonly #name: string
  readonly #aliasAt: (place: Place) => string

  constructor(name: string, alias: string | undefined) {
    const aliasAt = (place: Place) => (alias?.startsWith('_') ? place.alias + alias : (alias ?? quote(name)))
    super({ tables: [name] }, (place) => (alias === undefined ? quote(name) : `${quote(name)} ${aliasAt(place)}`))
    this.#name = name
    this.#aliasAt = aliasAt
  }

  column(name: string): Sql {
    return new Column({ table: this.#name, column: name }, (place) => columnOf(this.#aliasAt(place), name))
  }

  /** Returns SQL on a row of this table as SQL on the other row. */
  row<P extends Place>(condition: Sql<P>): Sql<P> {
    const table = this.#name
    return new Sql(
      {
        ...condition,
        columns: condition.columns.map((read) => ({ table, ...read })),
        timeDependencies: condition.timeDependencies?.map((dependency) => ({ table, ...dependency })),
      },
      (place) => condition.write({ ...place, alias: this.#aliasAt(place) }),
    )
  }
}

/** Returns another table. An alias that begins with `_` is appended to the row's alias, so that SQL can be nested. */
export const table = (name: string, alias?: string): Table => new Table(name, alias)

/** Returns the name of a database function that reads these tables. */
export const sqlFunction = (name: string, tables: readonly string[]): Sql =>
  new Sql({ tables, functions: [name] }, () => name)

/** Allows SQL to read columns that a guard hides. Use it only if the result discloses none of them. */
export const bypassGuards = <P extends Place>(condition: Sql<P>): Sql<P> =>
  new Sql(
    { ...condition, columns: condition.columns.map((read) => ({ ...read, bypassesGuard: true })) },
    condition.write,
  )

export const joinSql = <P extends Place>(parts: readonly Sql<P>[], between: string): Sql<P> =>
  new Template(['', ...parts.map((_, at) => (at < parts.length - 1 ? between : ''))], parts)

export function readsOf(parts: readonly Reads[]): Reads {
  const times = parts.map(({ timeDependencies }) => timeDependencies)
  const known = times.filter((dependencies) => dependencies !== undefined)
  return {
    tables: [...new Set(parts.flatMap(({ tables }) => tables))],
    columns: parts.flatMap(({ columns }) => columns),
    timeDependencies: known.length < times.length ? undefined : known.flat(),
    byCaller: parts.some(({ byCaller }) => byCaller),
    functions: parts.flatMap(({ functions }) => functions),
  }
}

/** A condition that a column is set, is null, or has a value. */
type ColumnCondition = { readonly column: string; readonly isSet?: true; readonly value: string }

/** Recognizes `column is not null`, `column is null` and `column = 'word'`. */
export function columnCondition(condition: Reads): ColumnCondition | undefined {
  if (!(condition instanceof Template)) return undefined
  const [first, second] = condition.parts
  if (!(first instanceof Column) || first.read.table !== undefined) return undefined
  const { column } = first.read
  switch (condition.texts.join('?')) {
    case '? is not null':
      return { column, isSet: true, value: 'true' }
    case '? is null':
      return { column, isSet: true, value: 'false' }
    case '? = ?':
      return second instanceof Literal ? { column, value: second.value } : undefined
    default:
      return undefined
  }
}

/** Recognizes `column > now`, alone or after `column is not null and`. */
export function isAhead(condition: Reads): boolean {
  if (!(condition instanceof Template) || condition.parts.at(-1) !== now) return false
  if (!/^\(?(\? is not null and )?\? > \?\)?$/.test(condition.texts.join('?'))) return false
  const names = condition.parts.slice(0, -1).map((part) => (part instanceof Column ? part.read.column : undefined))
  return names.every((name) => name === names[0])
}

/** Text before and after a comparison with the time that does not change its meaning by operator precedence. */
const BEFORE = /(?:^|[(,]|\b(?:and|or|not|where|when)\s)\s*$/i
const AFTER = /^\s*(?:$|[),]|(?:and|or|then)\b)/i

/** Returns the times at which the result of a template changes. */
function timesOf(
  texts: readonly string[],
  parts: readonly (Reads & { readonly shape: string })[],
): Reads['timeDependencies'] {
  const found: TimeDependency[] = []
  for (const [at, part] of parts.entries()) {
    if (part.timeDependencies?.length === 0) continue
    const left = parts[at - 1]
    const isCompared = part instanceof Time && left instanceof Column && /^ (?:>|<=) $/.test(texts[at] ?? '')
    const times = isCompared
      ? [{ ...timeIn(left.read), ...(part.minutes > 0 && { minutesBefore: part.minutes }) }]
      : part.timeDependencies
    const first = isCompared ? at - 1 : at
    const before = texts.slice(0, first + 1).map((text, index) => text + (index < first ? parts[index]?.shape : ''))
    const after = texts.slice(at + 1).map((text, index) => text + (parts[at + 1 + index]?.shape ?? ''))
    const isBounded =
      (BEFORE.test(before.join('')) || /^\s*(?:and|or)\b/i.test(part.shape)) && AFTER.test(after.join(''))
    if (!times || !isBounded) return undefined
    found.push(...times)
  }
  return found
}

const timeIn = ({ table, column }: ReadColumn): TimeDependency => ({ ...(table !== undefined && { table }), column })

/** Words allowed before a parenthesis. Functions of the database must be interpolated, since they may read tables. */
const BUILT_IN = new Set(
  `all and any array as by case coalesce count distinct else exists filter from in interval is join json_agg like
  limit max min not num_nonnulls on or over select sum then to_json values when where`.split(/\s+/),
)

function checkTexts(texts: readonly string[], parts: readonly Reads[]): void {
  const whole = texts.map((text) => text.replace(/'[^']*'/g, "''"))
  for (const [at, text] of whole.entries()) {
    const [clock] = text.match(/\b(?:current_(?:date|time|timestamp)|localtime(?:stamp)?)\b/i) ?? []
    if (clock) throw new Error(`sql uses ${clock} in its text; interpolate now`)
    if (text.includes('"'))
      throw new Error('sql quotes an identifier in its text; interpolate column(…), table(…) or sqlFunction(…)')
    if (/\b(?:from|join)\s*\((?!\s*select\b|\s*$)/i.test(text))
      throw new Error('sql reads a table in parentheses; interpolate table(…) without them')
    const [, named] = text.match(/(?<!\bdistinct\s+)\b(?:from|join)\s+([\w.]+)\b(?!\s*\()/i) ?? []
    if (named) throw new Error(`sql reads ${named} in its text; interpolate table('${named}')`)
    const called = [...text.matchAll(/(\w+)\s*\(/g)].find(([, word = '']) => !BUILT_IN.has(word))
    if (called) throw new Error(`sql calls ${called[1]} in its text; interpolate sqlFunction('${called[1]}', …)`)
    const before = parts[at - 1]
    const after = parts[at]
    if (after?.tables.length === 0 && /(?<!\bdistinct\s+)\b(?:from|join)\s+$/i.test(text))
      throw new Error('sql reads from something other than a table; interpolate table(…)')
    if (before instanceof Table && /^\s*(?:\w+\s*)?,/.test(text))
      throw new Error('sql reads a list of tables; join them')
  }
}
