import { defined } from '../../base/defined.ts'
import { type Message, message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { knownTimeZone, TIME_ZONE_RULE } from '../../base/time-zones.ts'
import type { Handle } from '../../database/database.ts'
import type { TextRow } from '../../database/text-query.ts'
import { HttpError, malformed, wrongParameter } from '../../errors.ts'
import type { Condition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import { NOW } from '../declare/placeholders.ts'
import { SqlBuilder } from '../declare/sql-builder.ts'
import { queryFor, type Viewer } from '../declare/viewer.ts'
import type { RequestContext } from '../request-context.ts'
import { visibleExpressionOf } from './order.ts'
import { timeBuckets } from './time-buckets.ts'
import { whereOf } from './where.ts'

/** What a graph path asks: `/graph/on/:field/by/:interval`. */
export type GraphRequest = {
  readonly field: string | undefined
  readonly interval: string | undefined
}

type Interval =
  | { readonly kind: 'period'; readonly start: string; readonly days: number; next(day: Date): void }
  | { readonly kind: 'cycle'; readonly part: string; readonly from: number; readonly to: number }

const DAYS_OF_A_YEAR = 365.2425

/** A period that PostgreSQL truncates times to. */
const period = (unit: string, days: number, next: (day: Date) => void): Interval => ({
  kind: 'period',
  start: `date_trunc('${unit}', at)`,
  days,
  next,
})

/** The smallest comes first. Weeks begin on Sunday, as the days of the week count from it (spec: graphs 5). */
const INTERVALS: Readonly<Record<string, Interval>> = {
  day: period('day', 1, (day) => day.setUTCDate(day.getUTCDate() + 1)),
  week: {
    kind: 'period',
    start: "date_trunc('week', at + interval '1 day') - interval '1 day'",
    days: 7,
    next: (day) => day.setUTCDate(day.getUTCDate() + 7),
  },
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

/** The counts as a JSON object, bucket → number of records, without any record `{}` (spec: graphs 3); and their sum. */
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
    (await readAggregates(context.handle, graph)) ?? (await context.handle.rows(...statement(graph, countedRows)))
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
 * Where the counts come from: rows of `at`, a time by the clocks of the zone, of which only the day counts unless hours are asked
 * for; of `n`, how many records have it; and of `is_old`, whether some of them are older than aggregates by quarters of an hour are exact.
 */
type CountSource = (graph: Graph, builder: SqlBuilder, zone: string) => string | undefined

const countedRows: CountSource = ({ resource, conditions, field, interval, viewer }, builder, zone) => {
  const where = whereOf(resource, conditions, 't', builder, viewer)
  const column = visibleExpressionOf(resource, field, 't', viewer)
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

/** From the aggregates of the database; undefined where there are none, or they are too coarse. */
async function readAggregates(database: Handle, graph: Graph): Promise<TextRow[] | undefined> {
  const [text, values] = statement(graph, countedBuckets)
  if (text === '') return undefined
  const rows = await database.rows(text, values)
  return rows.some(([, , isTooOld]) => isTooOld === 't') ? undefined : rows
}

/** Rows of a bucket, how many records it has, and whether some of them are too old for aggregates by quarters of an hour. */
function statement(graph: Graph, source: CountSource): [text: string, values: readonly unknown[]] {
  const { interval, timeZone, viewer } = graph
  const builder = new SqlBuilder()
  const zone = builder.value(timeZone, 'text')
  const counts = source(graph, builder, zone)
  if (counts === undefined) return ['', []]
  const bucket =
    interval.kind === 'period' ? `to_char(${interval.start}, 'YYYY-MM-DD')` : `extract(${interval.part} from at)::int`
  // The last bucket is that of now, in the same zone, so it comes out of the same statement.
  const { text, values } = queryFor(
    viewer,
    `select ${bucket}, sum(n), bool_or(is_old) from (
       select at::timestamp, n, is_old from (${counts}) known
       union all select ${NOW} at time zone ${zone}, 0, false
     ) counts group by 1 order by 1`,
    builder,
  )
  return [text, values]
}

/** The zone that a query asks for, if any. Throws 400. */
export function askedTimeZone(text: unknown): string | undefined {
  if (text === undefined || text === '') return undefined
  const zone = knownTimeZone(text)
  if (zone === undefined)
    throw wrongParameter(
      'time_zone',
      message('{field} {fault}.', { field: 'time_zone', fault: message(TIME_ZONE_RULE) }),
    )
  return zone
}

function chooseField(resource: Resource, asked: string | undefined): string {
  if (!resource.graph) throw new Error(`${resource.name} has no graph`)
  const { fields } = resource.graph
  const field = asked ?? resource.graph.default
  if (fields.includes(field)) return field
  throw graphError(
    suggesting(
      message("Attribute {field} do not exist or isn't graphable. Available fields are: {fields}", {
        field: field.slice(0, 80),
        fields: listWords(fields),
      }),
      field,
      fields,
    ),
  )
}

function chooseInterval(asked = DEFAULT_INTERVAL): Interval {
  const interval = Object.hasOwn(INTERVALS, asked) ? INTERVALS[asked] : undefined
  if (interval) return interval
  throw graphError(
    suggesting(
      message('The interval {interval} does not exist. Available intervals are: {intervals}', {
        interval: asked.slice(0, 80),
        intervals: listWords(INTERVAL_NAMES),
      }),
      asked,
      INTERVAL_NAMES,
    ),
  )
}

const graphError = (text: Message) => new HttpError(422, text, { error: 'Graph Error', errors: { base: [text] } })

const listWords = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function cycleKeys({ from, to }: { from: number; to: number }): string[] {
  return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
}

/** Every period from the first that has a record up to now, or to the last that has one. Throws 400 where they are too many. */
function periodKeys(
  counts: readonly (readonly [string, number])[],
  { next }: Extract<Interval, { kind: 'period' }>,
): readonly string[] {
  const first = counts.find(([, count]) => count > 0)?.[0] ?? ''
  const last = counts.at(-1)?.[0] ?? ''
  const begin = Date.parse(`${first}T00:00:00Z`)
  // Beyond the year 9999 there is nothing to fill up to.
  const isFilled = !Number.isNaN(begin) && last.length === first.length
  const keys = isFilled ? filledKeys(new Date(begin), last, next) : counts.map(([key]) => key)
  if (keys.length > MAX_BUCKETS) throw tooManyBuckets(begin, Date.parse(`${last}T00:00:00Z`))
  return keys
}

/** Stops at one more than the maximum. */
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
