import { addDays, aheadOfUtc, shownIn } from '@campus/engine/base/zoned-times'
import { QUARTER_SECONDS, quarterCountsBySql } from '@campus/engine/database/aggregates'
import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { sql } from 'kysely'
import { displayName } from '../../../access/display-name.ts'

type Reader = Pick<Handle, 'kysely'>
type Asked = { readonly campusId: number; readonly now: Date }
/** Time zone for days and hours. */
type Zoned = { readonly timeZone: string }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Users present at the end of each hour, the oldest first. */
export type Presence = { readonly hours: readonly { readonly at: Date; readonly present: number }[] }

const PRESENCE_DAYS = 7

/** Starts from the users present now, subtracts arrivals and adds departures by quarters of an hour. */
export async function presenceOf({ kysely }: Reader, { campusId, now, timeZone }: Asked & Zoned): Promise<Presence> {
  // Hours of some zones begin 15, 30 or 45 minutes after those of UTC.
  const shift = ((aheadOfUtc(timeZone, now.getTime()) % HOUR_MS) + HOUR_MS) % HOUR_MS
  const hourOf = (time: number) => Math.floor((time + shift) / HOUR_MS)
  const beginOf = (hour: number) => hour * HOUR_MS - shift
  const since = new Date(beginOf(hourOf(now.getTime())) - PRESENCE_DAYS * DAY_MS)
  const hourSql = sql.raw(`((period + ${shift / (QUARTER_SECONDS * 1000)}) / 4)::int`)
  const moved = (column: 'begin_at' | 'end_at') =>
    sql.raw(quarterCountsBySql('locations', column, String(Number(campusId))))
  const from = Math.floor(since.getTime() / 1000 / QUARTER_SECONDS)
  const { rows } = await sql<{ hour: number | null; came: number; left: number }>`
    select hour, sum(came)::int as came, sum("left")::int as left from (
      select ${hourSql} as hour, row_count as came, 0 as left from ${moved('begin_at')} begun where period >= ${from}
      union all
      select ${hourSql}, 0, row_count from ${moved('end_at')} ended where period >= ${from}
      union all
      select null, count(*), 0 from locations where campus_id = ${campusId} and end_at is null
    ) moves group by hour`.execute(kysely)
  const moves = new Map(rows.map((row) => [row.hour, row]))
  let present = moves.get(null)?.came ?? 0
  const hours: { at: Date; present: number }[] = []
  for (let hour = hourOf(now.getTime()); beginOf(hour) >= since.getTime(); hour -= 1) {
    hours.unshift({ at: new Date(beginOf(hour)), present })
    const { came = 0, left = 0 } = moves.get(hour) ?? {}
    present += left - came
  }
  return { hours }
}

export type DayOfResults = { readonly day: string; readonly good: number; readonly bad: number }

const RESULT_DAYS = 28

/** Returns a time before the first of these days, which begins earlier than 28 times 24 hours ago in some zones. */
const resultsSince = (now: Date) => new Date(now.getTime() - (RESULT_DAYS + 1) * DAY_MS)

const daily = (rows: readonly DayOfResults[], now: Date, timeZone: string): DayOfResults[] => {
  const found = new Map(rows.map((row) => [row.day, row]))
  const today = shownIn(timeZone, now).day
  return Array.from({ length: RESULT_DAYS }, (_, index) => {
    const day = addDays(today, index + 1 - RESULT_DAYS)
    return found.get(day) ?? { day, good: 0, bad: 0 }
  })
}

const ofCampus = (user: string, campusId: number) =>
  sql`exists (select from campus_users m where m.user_id = ${sql.ref(user)} and m.campus_id = ${campusId} and m.is_primary)`

/** Evaluations by correctors of a campus by day of begin: filled, and not filled. */
export async function evaluationsOf(
  { kysely }: Reader,
  { campusId, now, timeZone }: Asked & Zoned,
): Promise<DayOfResults[]> {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const { rows } = await sql<DayOfResults>`
    select to_char(s.begin_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(s.filled_at)::int as good,
      count(*) filter (where s.filled_at is null)::int as bad
    from scale_teams s where s.begin_at > ${resultsSince(now)} and s.begin_at <= ${now}
      and ${ofCampus('s.user_id', campusId)} group by 1`.execute(kysely)
  return daily(rows, now, timeZone)
}

/** Projects of users of a campus by day of mark: validated, and failed. */
export async function completionOf(
  { kysely }: Reader,
  { campusId, now, timeZone }: Asked & Zoned,
): Promise<DayOfResults[]> {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const { rows } = await sql<DayOfResults>`
    select to_char(p.marked_at at time zone ${zone}, 'YYYY-MM-DD') as day, count(*) filter (where p.validated)::int as good,
      count(*) filter (where not coalesce(p.validated, false))::int as bad
    from projects_users p where p.marked_at > ${resultsSince(now)}
      and ${ofCampus('p.user_id', campusId)} group by 1`.execute(kysely)
  return daily(rows, now, timeZone)
}

/** Users of one pool, and those of them who are in a cursus now. */
export type Pool = {
  readonly year: string
  readonly month: string | null
  readonly people: number
  readonly stayed: number
}

const POOLS_SHOWN = 12
const POOL_YEARS = 2

/** Pools of this year and the last. */
export async function poolsOf({ kysely }: Reader, { campusId, now, timeZone }: Asked & Zoned): Promise<Pool[]> {
  const year = Number(shownIn(timeZone, now).day.slice(0, 4))
  const years = Array.from({ length: POOL_YEARS }, (_, index) => String(year - index))
  const { rows } = await sql<Pool>`
    select u.pool_year as year, u.pool_month as month, count(*)::int as people, count(active.user_id)::int as stayed
    from users u left join (
      select distinct c.user_id from cursus_users c join cursus on cursus.id = c.cursus_id
      where cursus.kind = 'main' and (c.end_at is null or c.end_at > ${now})
    ) active on active.user_id = u.id
    where u.pool_year = any(${years}) and ${ofCampus('u.id', campusId)}
    group by 1, 2 order by 1 desc, min(u.id) desc limit ${POOLS_SHOWN}`.execute(kysely)
  return rows
}

export type AtRisk = {
  readonly id: number
  readonly login: string
  readonly displayname: string
  readonly image: string | null
  readonly seen_at: Date | null
}

/** Days without a login at a computer. */
export const RISK_DAYS = 14

/** Longest absence first. */
export async function peopleAtRisk(
  { kysely }: Reader,
  { campusId, now, limit }: Asked & { readonly limit: number },
): Promise<AtRisk[]> {
  const { rows } = await sql<AtRisk>`
    select u.id, u.login, ${displayName('u')} as displayname, u.image,
      last.begin_at as seen_at
    from campus_users m join users u on u.id = m.user_id
    left join lateral (
      select begin_at from locations l where l.user_id = u.id order by begin_at desc, id desc limit 1
    ) last on true
    where m.campus_id = ${campusId} and m.is_primary and u.kind = 'student' and u.closed_at is null and u.alumnized_at is null
      and exists (select from cursus_users c where c.user_id = u.id and c.begin_at <= ${now} and (c.end_at is null or c.end_at > ${now}))
      and (last.begin_at is null or last.begin_at < ${new Date(now.getTime() - RISK_DAYS * DAY_MS)})
    order by last.begin_at nulls first, u.id limit ${limit}`.execute(kysely)
  return rows
}
