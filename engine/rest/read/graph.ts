import { defined } from '../../base/defined.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { knownTimeZone, TIME_ZONE_RULE } from '../../base/time-zones.ts'
import type { Handle } from '../../database/database.ts'
import type { TextRow } from '../../database/text-query.ts'
import { HttpError, malformed } from '../../errors.ts'
import type { Condition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import { NOW } from '../declare/placeholders.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import type { RequestContext } from '../request-context.ts'
import { visibleExpressionOf } from './order.ts'
import { wrongValue } from './plan.ts'
import { timeBuckets } from './time-buckets.ts'
import { whereOf } from './where.ts'

export type GraphRequest = {
  readonly field: string | undefined
  readonly interval: string | undefined
}

type Interval =
  | { readonly kind: 'period'; readonly start: string; readonly days: number; next(day: Date): void }
  | { readonly kind: 'cycle'; readonly part: string; readonly from: number; readonly to: number }

const DAYS_OF_A_YEAR = 365.2425

const period = (unit: string, days: number, next: (day: Date) => void): Interval => {
  const start =
    unit === 'week' ? "date_trunc('week', at + interval '1 day') - interval '1 day'" : `date_trunc('${unit}', at)`
  return { kind: 'period', start, days, next }
}

/** The smallest comes first. Weeks begin on Sunday, like the days of the week (spec: graphs 5). */
const INTERVALS: Readonly<Record<string, Interval>> = {
  day: period('day', 1, (day) => day.setUTCDate(day.getUTCDate() + 1)),
  week: period('week', 7, (day) => day.setUTCDate(day.getUTCDate() + 7)),
  month: period('month', DAYS_OF_A_YEAR / 12, (day) => day.setUTCMonth(day.getUTCMonth() + 1)),
  quarter: period('quarter', DAYS_OF_A_YEAR / 4, (day) => day.setUTCMonth(day.getUTCMonth() + 3)),
  year: period('year', DAYS_OF_A_YEAR, (day) => day.setUTCFullYear(day.getUTCFullYear() + 1)),
  hour_of_day: { kind: 'cycle', part: 'hour', from: 0, to: 23 },
  day_of_week: { kind: 'cycle', part: 'dow', from: 0, to: 6 },
  day_of_month: { kind: 'cycle', part: 'day', from: 1, to: 31 },
  month_of_year: { kind: 'cycle', part: 'month', from: 1, to: 12 },
}

export const INTERVAL_NAMES = Object.keys(INTERVALS)
const DEFAULT_INTERVAL = 'month_of_year'
const MAX_BUCKETS = 100_000

/** Returns the counts as a JSON object by bucket, or `{}` without any record (spec: graphs 3), and their sum. */
export async function runGraph(
  context: RequestContext,
  resource: Resource,
  conditions: readonly Condition[],
  asked: GraphRequest,
  timeZone: string,
): Promise<{ readonly body: string; readonly total: number }> {
  const graph: Graph = {
    resource,
    conditions,
    field: chooseField(resource, asked.field),
    interval: chooseInterval(asked.interval),
    timeZone,
    viewer: context,
  }
  const rows =
    (await readRows(context.handle, graph, countedBuckets)) ??
    (await readRows(context.handle, graph, countedRows)) ??
    []
  const counts = new Map(rows.map(([key, count]) => [defined(key), Number(count)]))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (total === 0) return { body: '{}', total }
  const { interval } = graph
  const keys = interval.kind === 'cycle' ? cycleKeys(interval) : periodKeys([...counts], interval)
  return { body: JSON.stringify(Object.fromEntries(keys.map((key) => [key, counts.get(key) ?? 0]))), total }
}

type Graph = {
  readonly resource: Resource
  readonly conditions: readonly Condition[]
  readonly field: string
  readonly interval: Interval
  readonly timeZone: string
  readonly viewer: Viewer
}

/**
 * SQL of rows of `at`, a time in the zone (a day unless hours are requested), `n`, the number of records, and `is_old`,
 * whether quarters of an hour may be inexact.
 */
type CountSource = (graph: Graph, builder: SqlBuilder, zone: string) => string | undefined

const countedRows: CountSource = ({ resource, conditions, field, interval, viewer }, builder, zone) => {
  const where = whereOf({ resource, conditions }, builder, viewer)
  const column = visibleExpressionOf(resource, field, viewer)
  const local = `(${column}) at time zone ${zone}`
  const at = isOfHours(interval) ? `date_trunc('hour', ${local})` : `(${local})::date`
  return `select ${at} as at, count(*) as n, false as is_old from ${quote(resource.table)} t${where}
    ${where ? 'and' : 'where'} ${column} is not null group by 1`
}

const countedBuckets: CountSource = ({ resource, conditions, field, interval }, builder, zone) =>
  timeBuckets({ resource, conditions, column: resource.stored(field)?.column ?? field }, builder, {
    zone,
    byDay: !isOfHours(interval),
  })

const isOfHours = (interval: Interval) => interval.kind === 'cycle' && interval.part === 'hour'

/** Returns the number of records in each bucket, or undefined if the source has no counts or is too coarse for them. */
async function readRows(database: Handle, graph: Graph, source: CountSource): Promise<TextRow[] | undefined> {
  const { interval, timeZone, viewer } = graph
  const builder = new SqlBuilder()
  const zone = builder.value(timeZone, 'text')
  const counts = source(graph, builder, zone)
  if (counts === undefined) return undefined
  const bucket =
    interval.kind === 'period' ? `to_char(${interval.start}, 'YYYY-MM-DD')` : `extract(${interval.part} from at)::int`
  // The last bucket is that of now in the zone.
  const { text, values } = queryFor(
    viewer,
    `select ${bucket}, sum(n), bool_or(is_old) from (
       select at::timestamp, n, is_old from (${counts}) known
       union all select ${NOW} at time zone ${zone}, 0, false
     ) counts group by 1 order by 1`,
    builder,
  )
  const rows = await database.rows(text, values)
  return rows.some(([, , isOld]) => isOld === 't') ? undefined : rows
}

/** Returns the time zone of a query. Throws 400. */
export function askedTimeZone(text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined
  const zone = knownTimeZone(text)
  if (zone === undefined) throw wrongValue('time_zone', message(TIME_ZONE_RULE))
  return zone
}

function chooseField(resource: Resource, asked: string | undefined): string {
  if (!resource.graph) throw new Error(`${resource.name} has no graph`)
  const { fields } = resource.graph
  const field = asked ?? resource.graph.default
  if (fields.includes(field)) return field
  const fault = message("Attribute {field} do not exist or isn't graphable. Available fields are: {fields}", {
    field: field.slice(0, 80),
    fields: listWords(fields),
  })
  throw graphError(fault, field, fields)
}

function chooseInterval(asked = DEFAULT_INTERVAL): Interval {
  const interval = Object.hasOwn(INTERVALS, asked) ? INTERVALS[asked] : undefined
  if (interval) return interval
  const fault = message('The interval {interval} does not exist. Available intervals are: {intervals}', {
    interval: asked.slice(0, 80),
    intervals: listWords(INTERVAL_NAMES),
  })
  throw graphError(fault, asked, INTERVAL_NAMES)
}

function graphError(fault: Message, name: string, known: readonly string[]): HttpError {
  const text = suggesting(fault, name, known)
  return new HttpError(422, text, { error: 'Graph Error', errors: { base: [text] } })
}

const listWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function cycleKeys({ from, to }: { from: number; to: number }): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

/** Returns every period from the first with a record up to now or the last. Throws 400 above MAX_BUCKETS. */
function periodKeys(counts: readonly (readonly [string, number])[], { next }: Extract<Interval, { kind: 'period' }>) {
  const first = counts.find(([, count]) => count > 0)?.[0] ?? ''
  const last = counts.at(-1)?.[0] ?? ''
  const begin = Date.parse(`${first}T00:00:00Z`)
  // Years beyond 9999 are not filled up.
  const isFilled = !Number.isNaN(begin) && last.length === first.length
  const keys = isFilled ? filledKeys(new Date(begin), last, next) : counts.map(([key]) => key)
  if (keys.length > MAX_BUCKETS) throw tooManyBuckets(begin, Date.parse(`${last}T00:00:00Z`))
  return keys
}

/** Stops at one more than MAX_BUCKETS. */
function filledKeys(day: Date, last: string, next: (day: Date) => void): readonly string[] {
  const keys: string[] = []
  for (; keys.length <= MAX_BUCKETS; next(day)) {
    const key = day.toISOString().slice(0, 10)
    if (key > last) break
    keys.push(key)
  }
  return keys
}

const DAY_MILLISECONDS = 86_400_000

function tooManyBuckets(first: number, last: number): HttpError {
  const days = (last - first) / DAY_MILLISECONDS
  // The first and the last bucket may be partial.
  const fits = (interval: Interval) => interval.kind === 'period' && days / interval.days + 2 <= MAX_BUCKETS
  const fitting = Object.entries(INTERVALS).find(([, interval]) => fits(interval))?.[0] ?? 'year'
  return malformed(
    message(
      'A graph has {most} buckets at most, and this one would have more. The smallest interval that fits is {interval}; a range or a filter may leave fewer.',
      { most: MAX_BUCKETS, interval: fitting },
    ),
  )
}
