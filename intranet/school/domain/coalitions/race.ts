import { addDays, shownIn } from '@campus/engine/base/zoned-times'
import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { sql } from 'kysely'

type Reader = Pick<Handle, 'kysely'>
type Racer = { readonly id: number; readonly score: number }

/** Scores of each coalition at the end of each day, in order. */
export type Race = { readonly days: readonly string[]; readonly scores: ReadonlyMap<number, readonly number[]> }

const DAYS = 84
const DAY_MS = 86_400_000
/** Limit for large schools. The race then begins with the first of these scores. */
const MAX_SCORES = 50_000

/** Returns the scores at the end of each day of the last weeks, computed backwards from the current scores. */
export async function raceOf(
  { kysely }: Reader,
  coalitions: readonly Racer[],
  { now, timeZone }: { readonly now: Date; readonly timeZone: string },
): Promise<Race> {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const today = shownIn(timeZone, now).day
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const ids = coalitions.map(({ id }) => id)
  const { rows } = await sql<{ id: number; day: string; points: number }>`
    select coalition_id as id, to_char(created_at at time zone ${zone}, 'YYYY-MM-DD') as day, sum(value)::int as points
    from (
      select coalition_id, created_at, value from scores
      where coalition_id = any(${ids}::int[]) and created_at > ${since} order by created_at desc, id desc limit ${MAX_SCORES}
    ) latest group by 1, 2 order by 2`.execute(kysely)
  const first = rows[0]?.day ?? today
  const days = Array.from({ length: DAYS + 1 }, (_, index) => addDays(today, index - DAYS)).filter(
    (day) => day >= first,
  )
  const points = new Map(rows.map((row) => [`${row.id} ${row.day}`, row.points]))
  const scores = coalitions.map(({ id, score }) => {
    let at = score
    const backwards = days.toReversed().map((day) => {
      const atEnd = at
      at -= points.get(`${id} ${day}`) ?? 0
      return atEnd
    })
    return [id, backwards.toReversed()] as const
  })
  return { days, scores: new Map(scores) }
}

export type Reason = { readonly reason: string; readonly times: number; readonly points: number }

const [MAX_REASONS, MIN_TIMES] = [10, 5]

/** Returns the reasons that gave most points in the last weeks. Omits rare ones, which may identify a user. */
export async function reasonsOf({ kysely }: Reader, coalitionId: number, now: Date): Promise<Reason[]> {
  const since = new Date(now.getTime() - DAYS * DAY_MS)
  const { rows } = await sql<Reason>`
    select reason, count(*)::int as times, sum(value)::int as points
    from (
      select reason, value from scores where coalition_id = ${coalitionId} and created_at > ${since}
      order by created_at desc, id desc limit ${MAX_SCORES}
    ) latest group by reason having count(*) >= ${MIN_TIMES} order by 3 desc, 1 limit ${MAX_REASONS}`.execute(kysely)
  return rows
}
