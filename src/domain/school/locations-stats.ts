import type { QueryInput } from '../../actions.ts'
import { knownTimeZone } from '../../base/time-zones.ts'
import type { Handle } from '../../database/database.ts'

/** Locations do not begin before this, whatever is stored. */
const BEGINNING = '1970-01-01T00:00:00Z'

/**
 * How long a user was logged in on each day of a time zone, as a JSON object, the latest day first (spec: school 2, 3). What is
 * open counts up to now, what overlaps counts once, and no day has more than 24 hours.
 */
export async function readLocationsStats(handle: Handle, { id, values, now }: QueryInput): Promise<string> {
  const { begin_at = null, end_at = null } = values
  const zone = values.time_zone ?? (await homeZoneOf(handle, id))
  const rows = await handle.rows(TIME_BY_DAY, [id, zone, begin_at, end_at, now.toISOString()])
  return JSON.stringify(
    Object.fromEntries(rows.map(([day, milliseconds]) => [day, durationText(Number(milliseconds))])),
  )
}

/** That of the primary campus. */
async function homeZoneOf(handle: Handle, userId: number): Promise<string> {
  const [row] = await handle.rows(
    'select c.time_zone from campus_users m join campus c on c.id = m.campus_id where m.user_id = $1 and m.is_primary',
    [userId],
  )
  return knownTimeZone(row?.[0]) ?? 'UTC'
}

/** As `HH:MM:SS.fff`, with one digit of the fraction at least. */
function durationText(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const fraction = String(milliseconds % 1000).padStart(3, '0')
  return `${parts.map((part) => String(part).padStart(2, '0')).join(':')}.${fraction.replace(/0{1,2}$/, '')}`
}

/** The start of a day in the zone. Where a transition over midnight gives two, it is the first. */
const startOf = (day: string) => {
  const midnight = `((${day})::timestamp at time zone $2)`
  const hourBefore = `(${midnight} - interval '1 hour')`
  return `(case when ${hourBefore} at time zone $2 = (${day})::timestamp then ${hourBefore} else ${midnight} end)`
}

/** A parameter that is a day or a time. */
const timeSql = (parameter: string) =>
  `(case when length(${parameter}::text) = 10 then ${startOf(`${parameter}::text::date`)} else ${parameter}::text::timestamptz end)`

/**
 * The days of user $1 in zone $2 from $3 to $4 as it is $5, with milliseconds. The stays are found by the index on
 * (user_id, begin_at), so that it costs what one user has, and are made one of another before they are cut into days.
 */
const TIME_BY_DAY = `
  with ending as (
    select least(coalesce(${timeSql('$4')}, $5::timestamptz), $5::timestamptz) as until
  ), span as (
    select until, greatest(
      coalesce(${timeSql('$3')}, ${startOf(`(until at time zone $2 - interval '4 months')::date`)}),
      '${BEGINNING}'::timestamptz
    ) as since
    from ending
  ), stays as (
    select unnest(range_agg(tstzrange(greatest(begin_at, since), least(coalesce(end_at, $5::timestamptz), until)))) as stay
    from span join locations on begin_at < until and coalesce(end_at, 'infinity') > since
    where user_id = $1 and since < until
  ), pieces as (
    select day, least(upper(stay), ${startOf("day + interval '1 day'")}) - greatest(lower(stay), ${startOf('day')}) as spent
    from stays cross join lateral generate_series(
      (lower(stay) at time zone $2)::date::timestamp, upper(stay) at time zone $2, interval '1 day'
    ) day
  )
  select to_char(day, 'YYYY-MM-DD'), round(extract(epoch from least(sum(spent), interval '24 hours')) * 1000)
  from pieces where spent > interval '0' group by day order by day desc`
