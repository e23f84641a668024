import { defined } from '@campus/engine/base/defined'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { notFound } from '@campus/engine/errors'
import { sql } from 'kysely'
import { pendingSince } from './delivery-states.ts'

export type EndpointOverview = {
  readonly id: number
  readonly url: string
  readonly description: string | null
  readonly isEnabled: boolean
  readonly disabledAt: Date | null
  readonly disabledReason: string | null
  readonly failingSince: Date | null
  readonly campuses: readonly string[]
  /** Deliveries by state, of the thirty days that the log is stored. */
  readonly pending: number
  readonly rejected: number
  readonly dead: number
  readonly oldestPendingAt: Date | null
}

/** Returns all endpoints, failing ones first. */
export const endpointOverviews = (handle: Handle): Promise<EndpointOverview[]> => read(handle, null)

/** Throws 404. */
export async function endpointOverview(handle: Handle, id: number): Promise<EndpointOverview> {
  const [found] = await read(handle, id)
  if (!found) throw notFound(message('There is no endpoint {id}.', { id }))
  return found
}

async function read(handle: Handle, id: number | null): Promise<EndpointOverview[]> {
  const { rows } = await sql<EndpointOverview>`
    select e.id, e.url, e.description, e.active as "isEnabled", e.switched_off_at as "disabledAt",
       e.switched_off_because as "disabledReason", f.since as "failingSince",
       (select coalesce(json_agg(c.name order by c.id), '[]') from campus c where c.endpoint_id = e.id) as campuses,
       d.pending, d.rejected, d.dead, d.oldest as "oldestPendingAt"
     from endpoints e left join endpoint_failures f on f.endpoint_id = e.id cross join lateral (
       select count(*) filter (where state = 'pending')::int pending, count(*) filter (where state = 'rejected')::int rejected,
         count(*) filter (where state = 'dead')::int dead,
         min(${sql.raw(pendingSince('deliveries'))}) filter (where state = 'pending') oldest
       from deliveries where endpoint_id = e.id and state <> 'delivered'
     ) d
     where ${id}::int is null or e.id = ${id}
     order by e.switched_off_at is null, f.since is null, e.active desc, e.id`.execute(handle.kysely)
  return rows
}

export type DayOfDeliveries = {
  /** Such as 2026-03-02. */
  readonly day: string
  readonly recorded: number
  readonly waiting: number
  /** Rejected or dead. */
  readonly failed: number
}

type Days = { readonly now: Date; readonly days: number; readonly timeZone: string }

/** Returns the last days of an endpoint, the oldest first, with zeros for days without deliveries. */
export async function deliveriesByDay(handle: Handle, endpointId: number, { now, days, timeZone }: Days) {
  const zone = await databaseTimeZone(handle, timeZone)
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})`
  const { rows } = await sql<DayOfDeliveries>`
    select to_char(days.day, 'YYYY-MM-DD') as day, count(d.id)::int as recorded,
       count(d.id) filter (where d.state = 'pending')::int as waiting,
       count(d.id) filter (where d.state in ('rejected', 'dead'))::int as failed
     from generate_series(${today} - (${days}::int - 1) * interval '1 day', ${today}, interval '1 day') days (day)
     left join deliveries d on d.endpoint_id = ${endpointId}
       and d.created_at >= days.day at time zone ${zone} and d.created_at < (days.day + interval '1 day') at time zone ${zone}
     group by days.day order by days.day`.execute(handle.kysely)
  return rows
}

/** Returns the start of a day such as 2026-03-02 in a time zone. */
export async function beginOfDay(handle: Handle, day: string, timeZone: string): Promise<Date> {
  const zone = await databaseTimeZone(handle, timeZone)
  const { rows } = await sql<{ begin: Date }>`select ${day}::date::timestamp at time zone ${zone} as begin`.execute(
    handle.kysely,
  )
  return defined(rows[0]).begin
}
