import { DAY_SECONDS, QUARTER_SECONDS, quarterCountsSql } from '../../database/aggregates.ts'
import type { Handle } from '../../database/database.ts'

type Reader = Pick<Handle, 'rows'>

/** The size of the school, from stored aggregates. */
export type SchoolSize = { readonly campuses: number; readonly people: number; readonly online: number }

const OPEN_STAYS = `relation = 'locations' and series = 'campus_id primary end_at?' and keys[3] = 'false'`

/** Sums of few rows, whatever the size of the school. */
export async function sizeOfSchool({ rows }: Reader): Promise<SchoolSize> {
  const [row] = await rows(
    `select (select count(*) from campus), (select coalesce(sum(row_count), 0) from row_counts where relation = 'users'),
       (select coalesce(sum(row_count), 0) from kept_counts where ${OPEN_STAYS})`,
    [],
  )
  return { campuses: Number(row?.[0]), people: Number(row?.[1]), online: Number(row?.[2]) }
}

/** How many users are logged in at each campus with any, the most first. */
export async function onlineByCampus({ rows }: Reader): Promise<{ id: number; name: string; online: number }[]> {
  const found = await rows(
    `select c.id, c.name, k.online from (
       select keys[1]::int as campus_id, sum(row_count) as online from kept_counts where ${OPEN_STAYS} group by keys[1]
     ) k join campus c on c.id = k.campus_id where k.online > 0 order by k.online desc, c.id`,
    [],
  )
  return found.map(([id, name, online]) => ({ id: Number(id), name: String(name), online: Number(online) }))
}

/** A day such as 2026-03-02, and how many began to be logged in during each of its hours. */
export type DayOfLogins = { readonly day: string; readonly hours: readonly number[] }

/** The last days of all campuses in this zone, the oldest first. */
export async function loginsByHour(
  { rows }: Reader,
  { now, days, timeZone }: { readonly now: Date; readonly days: number; readonly timeZone: string },
): Promise<DayOfLogins[]> {
  const found = await rows(
    `select to_char(day, 'YYYY-MM-DD'), (
       select json_agg(coalesce(logins, 0) order by hour) from generate_series(0, 23) hour left join (
         select extract(hour from to_timestamp(period * ${QUARTER_SECONDS}) at time zone $3)::int as hour, sum(row_count) as logins
         from ${quarterCountsSql('locations', 'begin_at')} begun
         where period >= extract(epoch from day at time zone $3) / ${QUARTER_SECONDS}
           and period < extract(epoch from (day + interval '1 day') at time zone $3) / ${QUARTER_SECONDS}
         group by 1) counted using (hour))
     from generate_series(
       date_trunc('day', $1::timestamptz at time zone $3) - ($2::int - 1) * interval '1 day',
       date_trunc('day', $1::timestamptz at time zone $3), interval '1 day') day order by day`,
    [now.toISOString(), days, timeZone],
  )
  return found.map(([day, hours]) => ({ day: String(day), hours: JSON.parse(String(hours)) }))
}

/** How many evaluations of today have begun, and how many are to come. */
export async function evaluationsToday({ rows }: Reader, now: Date, timeZone: string) {
  const quarter = Math.floor(now.getTime() / 1000 / QUARTER_SECONDS)
  const [row] = await rows(
    `select coalesce(sum(row_count) filter (where period <= $3), 0), coalesce(sum(row_count) filter (where period > $3), 0)
     from ${quarterCountsSql('scale_teams', 'begin_at')} begun, (select extract(epoch from date_trunc('day', $1::timestamptz at time zone $2) at time zone $2) as start) today
     where period >= today.start / ${QUARTER_SECONDS} and period < (today.start + ${DAY_SECONDS}) / ${QUARTER_SECONDS}`,
    [now.toISOString(), timeZone, quarter],
  )
  return { begun: Number(row?.[0]), toCome: Number(row?.[1]) }
}

/** The newest closes of accounts. */
export const newestCloses = ({ kysely }: Pick<Handle, 'kysely'>, limit: number) =>
  kysely
    .selectFrom('closes')
    .innerJoin('users', 'users.id', 'closes.user_id')
    .select(['closes.id', 'closes.kind', 'closes.reason', 'closes.state', 'closes.created_at', 'user_id', 'login'])
    .orderBy('closes.created_at', 'desc')
    .orderBy('closes.id', 'desc')
    .limit(limit)
    .execute()
