import type { Handle } from '../database/database.ts'

/** Days for which calls are stored. */
export const USAGE_DAYS = 14

/** Whose calls, of which time; and which of them, where not all are meant. */
export type UsageOf = {
  readonly applicationId: number
  readonly now: Date
  readonly timeZone: string
  readonly route?: string | undefined
  readonly outcome?: Outcome | undefined
}

/** What became of calls: 1xx to 3xx, 4xx, 5xx. */
export const OUTCOMES = ['answered', 'refused', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** How many calls of a day went how. */
export type DayOfUsage = {
  /** Such as 2026-03-02. */
  readonly day: string
  readonly byOutcome: Readonly<Record<Outcome, number>>
  /** All of them by the hour of the day, 24 numbers. */
  readonly byHour: readonly number[]
}

const OUTCOME = "case when c.status < 400 then 'answered' when c.status < 500 then 'refused' else 'failed' end"

/** The last days in the zone, the oldest first, with zeros where there were no calls. */
export async function usageByDay({ rows }: Pick<Handle, 'rows'>, of: UsageOf): Promise<DayOfUsage[]> {
  const { applicationId, now, timeZone, route = null, outcome = null } = of
  const found = await rows(
    `select to_char(day, 'YYYY-MM-DD'), extract(hour from c.hour at time zone $4)::int, ${OUTCOME}, sum(c.made)
     from generate_series(
       date_trunc('day', $2::timestamptz at time zone $4) - ($3::int - 1) * interval '1 day',
       date_trunc('day', $2::timestamptz at time zone $4), interval '1 day'
     ) day left join application_route_calls c on c.application_id = $1
       and c.hour >= day at time zone $4 and c.hour < (day + interval '1 day') at time zone $4
       and ($5::text is null or c.route = $5) and ($6::text is null or ${OUTCOME} = $6)
     group by day, 2, 3 order by day`,
    [applicationId, now.toISOString(), USAGE_DAYS, timeZone, route, outcome],
  )
  return [...Map.groupBy(found, ([day]) => String(day))].map(([day, parts]) => {
    const sumOf = (isPart: (part: (typeof parts)[number]) => boolean) =>
      parts.filter(isPart).reduce((total, [, , , made]) => total + Number(made ?? 0), 0)
    return {
      day,
      byOutcome: {
        answered: sumOf(([, , name]) => name === 'answered'),
        refused: sumOf(([, , name]) => name === 'refused'),
        failed: sumOf(([, , name]) => name === 'failed'),
      },
      byHour: Array.from({ length: 24 }, (_, hour) => sumOf(([, at]) => at === String(hour))),
    }
  })
}

/** The calls of a route, such as `GET /v2/users/:id`, by status. */
export type RouteUsage = {
  readonly route: string
  readonly made: number
  readonly byStatus: readonly { readonly status: number; readonly made: number }[]
}

/** What an application asked for in the same days, the most asked for first. */
export async function usageByRoute({ rows }: Pick<Handle, 'rows'>, of: UsageOf, limit: number): Promise<RouteUsage[]> {
  const found = await rows(
    `select route, sum(made), json_agg(json_build_object('status', status, 'made', made) order by status)
     from (
       select c.route, c.status, sum(c.made) made from application_route_calls c
       where c.application_id = $1 and ($3::text is null or c.route = $3) and ($4::text is null or ${OUTCOME} = $4)
         and c.hour >= (date_trunc('day', $2::timestamptz at time zone $6) - ($7::int - 1) * interval '1 day')
           at time zone $6
       group by c.route, c.status
     ) by_status group by route order by 2 desc, 1 limit $5`,
    [
      ...[of.applicationId, of.now.toISOString(), of.route ?? null, of.outcome ?? null, limit],
      ...[of.timeZone, USAGE_DAYS],
    ],
  )
  return found.map(([route, made, byStatus]) => ({
    route: String(route),
    made: Number(made),
    byStatus: JSON.parse(String(byStatus)),
  }))
}

/** The latest calls that were refused, the latest first. */
export const latestRefusals = ({ kysely }: Handle, applicationId: number, limit: number) =>
  kysely
    .selectFrom('application_refusals')
    .select(['id', 'created_at', 'status', 'reason', 'route'])
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
