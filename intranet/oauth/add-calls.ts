import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { CountedCalls } from './call-tally.ts'

/** Refused calls stored for each application. Older ones are deleted. */
const MAX_REFUSALS = 100

/**
 * One statement, so that a failure counts nothing twice. Rows in the order of the keys avoid deadlocks. Counts of deleted
 * applications are dropped.
 */
const add = (hours: string, routes: string, refusals: string) => sql`with hours as (
    insert into application_calls (application_id, hour, made, refused)
    select counted.application_id, counted.hour, sum(counted.made), sum(counted.refused)
    from json_to_recordset(${hours}::json) as counted (
      application_id integer, hour timestamptz, made integer, refused integer
    ) join applications on applications.id = counted.application_id
    group by counted.application_id, counted.hour order by counted.application_id, counted.hour
    on conflict (application_id, hour) do update
    set made = application_calls.made + excluded.made, refused = application_calls.refused + excluded.refused
  ), routes as (
    insert into application_route_calls (application_id, hour, route, status, made)
    select counted.application_id, counted.hour, counted.route, counted.status, sum(counted.made)
    from json_to_recordset(${routes}::json) as counted (
      application_id integer, hour timestamptz, route text, status smallint, made integer
    ) join applications on applications.id = counted.application_id
    group by counted.application_id, counted.hour, counted.route, counted.status
    order by counted.application_id, counted.hour, counted.route, counted.status
    on conflict (application_id, hour, route, status) do update
    set made = application_route_calls.made + excluded.made
  ), forgotten as (
    delete from application_refusals where id in (
      select old.id from json_to_recordset(${hours}::json) as counted (application_id integer) cross join lateral (
        select id from application_refusals where application_id = counted.application_id
        order by id desc offset ${MAX_REFUSALS}
      ) old
    )
  )
  insert into application_refusals (application_id, created_at, status, reason, route)
  select application_id, refused.created_at, status, reason, route from rows from (
    json_to_recordset(${refusals}::json) as (
      application_id integer, created_at timestamptz, status smallint, reason text, route text
    )
  ) with ordinality as refused (application_id, created_at, status, reason, route, place)
  join applications on applications.id = refused.application_id order by place`

export async function addCalls({ kysely }: Pick<Handle, 'kysely'>, counted: readonly CountedCalls[]): Promise<void> {
  const hours = counted.map((one) => ({ ...keyOf(one), made: one.made, refused: one.refused }))
  const routes = counted.flatMap((one) => one.byRoute.map((calls) => ({ ...keyOf(one), ...calls })))
  const refusals = counted.flatMap(({ applicationId: application_id, refusals }) =>
    refusals.map(({ at: created_at, status, reason, route }) => ({
      application_id,
      created_at,
      status,
      reason,
      route,
    })),
  )
  await add(JSON.stringify(hours), JSON.stringify(routes), JSON.stringify(refusals)).execute(kysely)
}

const keyOf = ({ applicationId, hourMs }: CountedCalls) => ({
  application_id: applicationId,
  hour: new Date(hourMs).toISOString(),
})
