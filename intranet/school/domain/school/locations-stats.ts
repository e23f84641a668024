import type { QueryInput } from '@campus/engine/actions'
import { knownTimeZone } from '@campus/engine/base/time-zones'
import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { type RawBuilder, sql } from 'kysely'

/** Earliest begin of a location. */
const BEGINNING = '1970-01-01T00:00:00Z'

/**
 * Returns the time logged in on each day of a zone as a JSON object, the latest day first (spec: school 2, 3). An open
 * location lasts until now, overlaps count once, and no day exceeds 24 hours.
 */
export async function readLocationsStats(handle: Handle, { id, values, now }: QueryInput): Promise<string> {
  const { begin_at = null, end_at = null } = values
  const timeZone = String(values.time_zone ?? (await homeZoneOf(handle, id)))
  const times = { zone: await databaseTimeZone(handle, timeZone), from: begin_at, to: end_at, now: now.toISOString() }
  const { rows } = await timeByDay(id, times).execute(handle.kysely)
  return JSON.stringify(Object.fromEntries(rows.map(({ day, spent }) => [day, durationText(spent)])))
}

/** Returns the zone of the primary campus. */
async function homeZoneOf(handle: Handle, userId: number): Promise<string> {
  const row = await handle.kysely
    .selectFrom('campus_users')
    .innerJoin('campus', 'campus.id', 'campus_users.campus_id')
    .select('time_zone')
    .where('user_id', '=', userId)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  return knownTimeZone(row?.time_zone) ?? 'UTC'
}

/** Formats as `HH:MM:SS.fff`. */
function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const fraction = String(milliseconds % 1000).padStart(3, '0')
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${fraction.replace(/0{1,2}$/, '')}`
}

type StatsRange = {
  readonly zone: string
  /** Days or times. Null for no limit. */
  readonly from: unknown
  readonly to: unknown
  readonly now: string
}

/**
 * Milliseconds by day. Finds stays by the index on (user_id, begin_at), so the cost depends on one user, and merges
 * them before it cuts them into days.
 */
function timeByDay(userId: number, { zone, from, to, now }: StatsRange) {
  const inZone = sql`at time zone ${zone}::text`
  /** Start of a day in the zone, the first if a transition at midnight gives two. */
  const startOf = (day: RawBuilder<unknown>) => {
    const midnight = sql`((${day})::timestamp ${inZone})`
    const hourBefore = sql`(${midnight} - interval '1 hour')`
    return sql`(case when ${hourBefore} ${inZone} = (${day})::timestamp then ${hourBefore} else ${midnight} end)`
  }
  const timeOf = (value: unknown) =>
    sql`(case when length(${value}::text) = 10 then ${startOf(sql`${value}::text::date`)} else ${value}::text::timestamptz end)`
  return sql<{ day: string; spent: number }>`
  with ending as (
    select least(coalesce(${timeOf(to)}, ${now}::timestamptz), ${now}::timestamptz) as until
  ), span as (
    select until, greatest(
      coalesce(${timeOf(from)}, ${startOf(sql`(until ${inZone} - interval '4 months')::date`)}), ${BEGINNING}::timestamptz
    ) as since
    from ending
  ), stays as (
    select unnest(range_agg(tstzrange(greatest(begin_at, since), least(coalesce(end_at, ${now}::timestamptz), until)))) as stay
    from span join locations on begin_at < until and coalesce(end_at, 'infinity') > since
    where user_id = ${userId} and since < until
  ), pieces as (
    select day, least(upper(stay), ${startOf(sql`day + interval '1 day'`)}) - greatest(lower(stay), ${startOf(sql`day`)}) as spent
    from stays cross join lateral generate_series(
      (lower(stay) ${inZone})::date::timestamp, upper(stay) ${inZone}, interval '1 day'
    ) day
  )
  select to_char(day, 'YYYY-MM-DD') as day,
    round(extract(epoch from least(sum(spent), interval '24 hours')) * 1000)::float8 as spent
  from pieces where spent > interval '0' group by pieces.day order by pieces.day desc`
}
