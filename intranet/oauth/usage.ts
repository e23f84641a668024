import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { sql } from 'kysely'

/** Days for which calls are stored. */
export const USAGE_DAYS = 14

/** Selects calls by application, time and outcome. */
export type UsageOf = {
  readonly applicationId: number
  readonly now: Date
  readonly timeZone: string
  readonly route?: string | undefined
  readonly outcome?: Outcome | undefined
}

export const OUTCOMES = ['answered', 'refused', 'failed'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type DayOfUsage = {
  /** Such as 2026-03-02. */
  readonly day: string
  readonly byOutcome: Readonly<Record<Outcome, number>>
  /** By hour of the day, 24 numbers. */
  readonly byHour: readonly number[]
}

const OUTCOME = sql`case when c.status < 400 then 'answered' when c.status < 500 then 'refused' else 'failed' end`

/** Returns the last days in a time zone, the oldest first, with zeros for days without calls. */
export async function usageByDay({ kysely }: Pick<Handle, 'kysely'>, of: UsageOf): Promise<DayOfUsage[]> {
  const { applicationId, now, route = null, outcome = null } = of
  const zone = await databaseTimeZone({ kysely }, of.timeZone)
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})`
  const { rows } = await sql<{ day: string; hour: number | null; outcome: string; made: number }>`
    select to_char(day, 'YYYY-MM-DD') as day, extract(hour from c.hour at time zone ${zone})::int as hour,
       ${OUTCOME} as outcome, coalesce(sum(c.made), 0)::float8 as made
     from generate_series(${today} - (${USAGE_DAYS}::int - 1) * interval '1 day', ${today}, interval '1 day') day
     left join application_route_calls c on c.application_id = ${applicationId}
       and c.hour >= day at time zone ${zone} and c.hour < (day + interval '1 day') at time zone ${zone}
       and (${route}::text is null or c.route = ${route}) and (${outcome}::text is null or ${OUTCOME} = ${outcome})
     group by 1, 2, 3 order by 1`.execute(kysely)
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, parts]) => {
    const sumOf = (isPart: (part: (typeof parts)[number]) => boolean) =>
      parts.filter(isPart).reduce((total, { made }) => total + made, 0)
    return {
      day,
      byOutcome: {
        answered: sumOf((part) => part.outcome === 'answered'),
        refused: sumOf((part) => part.outcome === 'refused'),
        failed: sumOf((part) => part.outcome === 'failed'),
      },
      byHour: Array.from({ length: 24 }, (_, hour) => sumOf((part) => part.hour === hour)),
    }
  })
}

/** Calls of a route, such as `GET /v2/users/:id`, by status. */
export type RouteUsage = {
  readonly route: string
  readonly made: number
  readonly byStatus: readonly { readonly status: number; readonly made: number }[]
}

/** Returns the routes that an application called in these days, the most called first. */
export async function usageByRoute(
  { kysely }: Pick<Handle, 'kysely'>,
  of: UsageOf,
  limit: number,
): Promise<RouteUsage[]> {
  const { applicationId, now, route = null, outcome = null } = of
  const zone = await databaseTimeZone({ kysely }, of.timeZone)
  const { rows } = await sql<RouteUsage>`
    select route, sum(made)::float8 as made,
       json_agg(json_build_object('status', status, 'made', made) order by status) as "byStatus"
     from (
       select c.route, c.status, sum(c.made) made from application_route_calls c
       where c.application_id = ${applicationId} and (${route}::text is null or c.route = ${route})
         and (${outcome}::text is null or ${OUTCOME} = ${outcome})
         and c.hour >= (date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})
           - (${USAGE_DAYS}::int - 1) * interval '1 day') at time zone ${zone}
       group by c.route, c.status
     ) by_status group by route order by 2 desc, 1 limit ${limit}`.execute(kysely)
  return rows
}

/** Returns the latest refused calls. */
export const latestRefusals = ({ kysely }: Handle, applicationId: number, limit: number) =>
  kysely
    .selectFrom('application_refusals')
    .select(['id', 'created_at', 'status', 'reason', 'route'])
    .where('application_id', '=', applicationId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
