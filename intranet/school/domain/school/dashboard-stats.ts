import { defined } from '@campus/engine/base/defined'
import { QUARTER_SECONDS, quarterCountsSql } from '@campus/engine/database/aggregates'
import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { sql } from 'kysely'

type Reader = Pick<Handle, 'kysely'>

export type SchoolSize = { readonly campuses: number; readonly people: number; readonly online: number }

const OPEN_STAYS = sql`relation = 'locations' and series = 'campus_id primary end_at?' and keys[3] = 'false'`

/** Reads aggregates, so the cost does not depend on the size of the school. */
export async function sizeOfSchool({ kysely }: Reader): Promise<SchoolSize> {
  const { rows } = await sql<SchoolSize>`
    select (select count(*) from campus)::int as campuses,
       (select coalesce(sum(row_count), 0) from row_counts where relation = 'users')::int as people,
       (select coalesce(sum(row_count), 0) from stored_counts where ${OPEN_STAYS})::int as online`.execute(kysely)
  return defined(rows[0])
}

export async function onlineByCampus({ kysely }: Reader): Promise<{ id: number; name: string; online: number }[]> {
  const { rows } = await sql<{ id: number; name: string; online: number }>`
    select c.id, c.name, k.online from (
       select keys[1]::int as campus_id, sum(row_count)::int as online from stored_counts where ${OPEN_STAYS} group by keys[1]
     ) k join campus c on c.id = k.campus_id where k.online > 0 order by k.online desc, c.id`.execute(kysely)
  return rows
}

/** Logins begun in each hour of a day such as 2026-03-02. */
export type DayOfLogins = { readonly day: string; readonly hours: readonly number[] }

export async function loginsByHour(
  { kysely }: Reader,
  { now, days, timeZone }: { readonly now: Date; readonly days: number; readonly timeZone: string },
): Promise<DayOfLogins[]> {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})`
  const { rows } = await sql<DayOfLogins>`
    select to_char(day, 'YYYY-MM-DD') as day, (
       select json_agg(coalesce(logins, 0) order by hour) from generate_series(0, 23) hour left join (
         select extract(hour from to_timestamp(period * ${sql.lit(QUARTER_SECONDS)}) at time zone ${zone})::int as hour, sum(row_count) as logins
         from ${sql.raw(quarterCountsSql('locations', 'begin_at'))} begun
         where period >= extract(epoch from day at time zone ${zone}) / ${sql.lit(QUARTER_SECONDS)}
           and period < extract(epoch from (day + interval '1 day') at time zone ${zone}) / ${sql.lit(QUARTER_SECONDS)}
         group by 1) counted using (hour)) as hours
     from generate_series(${today} - (${days}::int - 1) * interval '1 day', ${today}, interval '1 day') day order by 1`.execute(
    kysely,
  )
  return rows
}

export async function evaluationsToday({ kysely }: Reader, now: Date, timeZone: string) {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const quarter = Math.floor(now.getTime() / 1000 / QUARTER_SECONDS)
  const quarters = sql.lit(QUARTER_SECONDS)
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})`
  const { rows } = await sql<{ begun: number; toCome: number }>`
    select coalesce(sum(row_count) filter (where period <= ${quarter}), 0)::int as begun,
       coalesce(sum(row_count) filter (where period > ${quarter}), 0)::int as "toCome"
     from ${sql.raw(quarterCountsSql('scale_teams', 'begin_at'))} begun, (select extract(epoch from ${today} at time zone ${zone}) as start,
       extract(epoch from (${today} + interval '1 day') at time zone ${zone}) as end) today
     where period >= today.start / ${quarters} and period < today.end / ${quarters}`.execute(kysely)
  return defined(rows[0])
}

export const newestCloses = ({ kysely }: Pick<Handle, 'kysely'>, limit: number) =>
  kysely
    .selectFrom('closes')
    .innerJoin('users', 'users.id', 'closes.user_id')
    .select(['closes.id', 'closes.kind', 'closes.reason', 'closes.state', 'closes.created_at', 'user_id', 'login'])
    .orderBy('closes.created_at', 'desc')
    .orderBy('closes.id', 'desc')
    .limit(limit)
    .execute()
