import { literal as quoted } from '../../database/literal.ts'
import { columnOf, quote } from './identifiers.ts'
import { NOW, PERSON, ROLES, SCOPES } from './placeholders.ts'

/** A column that SQL reads: of the row, unless `table` names another table. */
type ReadColumn = { readonly table?: string; readonly column: string; readonly bypassesGuard?: boolean }

/** The times in a column, or `minutesBefore` minutes earlier. The column is in the row's own table unless `table` names another. */
export type TimeDependency = { readonly table?: string; readonly column: string; readonly minutesBefore?: number }

/** Everything that SQL reads. A cached answer is valid until one of these changes. */
export type Reads = {
  /** Tables besides the row's own. */
  readonly tables: readonly string[]
  readonly columns: readonly ReadColumn[]
  /** Times at which the result changes without a write. Undefined if it may change at any time. */
  readonly timeDependencies: readonly TimeDependency[] | undefined
  /** Whether the result depends on the caller. */
  readonly byCaller: boolean
  /** Functions of this service's database, by name. */
  readonly functions: readonly string[]
}

/** The part of a statement that SQL is written into. */
export type Place = {
  /** The alias of the row. */
  readonly alias: string
  /** The time of the request. Defaults to a placeholder. */
  readonly now?: () => string
}

/** A piece of SQL that knows what it reads. `P` is what its text depends on, such as the values of a filter. */
export class Sql<P extends Place = Place> implements Reads {
  readonly tables: readonly string[]
  readonly columns: readonly ReadColumn[]
  readonly timeDependencies: readonly TimeDependency[] | undefined
  readonly byCaller: boolean
  readonly functions: readonly string[]
  /** The columns of the row that the result of the SQL discloses. */
  readonly disclosed: readonly string[]
  readonly write: (place: P) => string
  /** The text, with `x` for each identifier and value. */
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
    const join = (written: (part: Sql<P>) => string) =>
      texts
        .map(
          (text, at) =>
            text +
            parts
              .slice(at, at + 1)
              .map(written)
              .join(''),
        )
        .join('')
    super({ ...readsOf(parts), timeDependencies: timesOf(texts, parts), shape: join(({ shape }) => shape) }, (place) =>
      join((part) => part.write(place)),
    )
    this.texts = texts
    this.parts = parts
  }
}

/**
 * Builds SQL on a row, as in `` sql`${column('begin_at')} > ${now}` ``, and records what it reads. Interpolate columns of the row,
 * tables, functions of the database, the time and the caller. Throws if the text names a table or calls a function of the database.
 */
export function sql<P extends Place>(texts: TemplateStringsArray, ...parts: readonly Sql<P>[]): Sql<P> {
  checkTexts(texts, parts)
  return new Template(texts, parts)
}

/** Returns a column of the row. */
export const column = (name: string): Sql => new Column({ column: name }, ({ alias }) => columnOf(alias, name))

/** Returns a text as a literal, or texts as a literal array. */
export const literal = (value: string | readonly string[]): Sql =>
  typeof value === 'string'
    ? new Literal(value)
    : new Sql({}, () => `array[${value.map((text) => quoted(text)).join(', ')}]`)

/**
 * The time of the request. The result of `column > now` or `column <= now` changes when the time in the column comes. With any other
 * use of `now`, the result may change at any time and is never cached.
 */
export const now: Sql = new Time(0)

/** Returns the time so many minutes after the request. */
export const minutesFromNow = (minutes: number): Sql => new Time(minutes)

const ofCaller = (placeholder: string) => new Sql({ byCaller: true }, () => placeholder)

export const caller = {
  /** The id of the token's user. It is null if an application acts for itself. */
  person: ofCaller(PERSON),
  roles: ofCaller(ROLES),
  scopes: ofCaller(SCOPES),
}

/** Another table in SQL on a row. */
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

  /** Returns SQL on the row of this table as SQL on the other row. */
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

/** Returns another table. An alias that begins with `_` is appended to the row's alias, so that SQL on a row can be nested. */
export const table = (name: string, alias?: string): Table => new Table(name, alias)

/** Returns the name of a function of the database, which reads these tables. */
export const sqlFunction = (name: string, tables: readonly string[]): Sql =>
  new Sql({ tables, functions: [name] }, () => name)

/** Allows a filter or an association to read columns that a guard hides. Use it only if the result discloses none of them. */
export const bypassGuards = <P extends Place>(condition: Sql<P>): Sql<P> =>
  new Sql(
    { ...condition, columns: condition.columns.map((read) => ({ ...read, bypassesGuard: true })) },
    condition.write,
  )

/** Joins pieces of SQL with a text between them. */
export const joinSql = <P extends Place>(parts: readonly Sql<P>[], between: string): Sql<P> =>
  new Template(['', ...parts.map((_, at) => (at < parts.length - 1 ? between : ''))], parts)

/** Combines everything that the parts read. */
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

/** A condition on one column: whether it is set, or has a value. */
type ColumnCondition = { readonly column: string; readonly isSet?: true; readonly value: string }

/** Recognizes `column is not null`, `column is null` and `column = 'word'`. Returns undefined for any other condition. */
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

/** Text that may stand before and after a comparison with the time. No operator in it binds closer than the comparison. */
const BEFORE = /(?:^|[(,]|\b(?:and|or|not|where|when)\s)\s*$/i
const AFTER = /^\s*(?:$|[),]|(?:and|or|then)\b)/i

/** Returns the times at which a template's result changes, from the comparisons with the time in its text. */
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

/** Words that may stand before a parenthesis. Functions of the database must be interpolated, since they may read tables. */
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
