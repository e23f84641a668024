import type { Handle } from '../database/database.ts'
import { notFound } from '../errors.ts'
import { pendingSince } from './delivery-states.ts'

/** A webservice as those who look after it see it. */
export type EndpointOverview = {
  readonly id: number
  readonly url: string
  readonly description: string | null
  readonly active: boolean
  readonly switchedOffAt: Date | null
  readonly switchedOffBecause: string | null
  /** Since when nothing but failures came of it. */
  readonly failingSince: Date | null
  readonly campuses: readonly string[]
  /** Deliveries by state, of the thirty days that the log is stored; those that arrived are not counted. */
  readonly pending: number
  readonly rejected: number
  readonly dead: number
  readonly oldestPendingAt: Date | null
}

/** All endpoints, failing ones first. */
export const endpointOverviews = (handle: Handle): Promise<EndpointOverview[]> => read(handle, null)

/** One endpoint. Throws 404. */
export async function endpointOverview(handle: Handle, id: number): Promise<EndpointOverview> {
  const [found] = await read(handle, id)
  if (!found) throw notFound(`There is no endpoint ${id}.`)
  return found
}

async function read(handle: Handle, id: number | null): Promise<EndpointOverview[]> {
  const rows = await handle.rows(
    `select e.id, e.url, e.description, e.active, (extract(epoch from e.switched_off_at) * 1000)::bigint,
       e.switched_off_because, (extract(epoch from f.since) * 1000)::bigint,
       (select json_agg(c.name order by c.id) from campus c where c.endpoint_id = e.id),
       d.pending, d.rejected, d.dead, d.oldest
     from endpoints e left join endpoint_failures f on f.endpoint_id = e.id cross join lateral (
       select count(*) filter (where state = 'pending') pending, count(*) filter (where state = 'rejected') rejected,
         count(*) filter (where state = 'dead') dead,
         (extract(epoch from min(${pendingSince('deliveries')}) filter (where state = 'pending')) * 1000)::bigint oldest
       from deliveries where endpoint_id = e.id and state <> 'delivered'
     ) d
     where $1::int is null or e.id = $1
     order by e.switched_off_at is null, f.since is null, e.active desc, e.id`,
    [id],
  )
  return rows.map(
    ([id, url, description, active, offAt, because, since, campuses, pending, rejected, dead, oldest]) => ({
      id: Number(id),
      url: String(url),
      description: description ?? null,
      active: active === 't',
      switchedOffAt: timeOf(offAt),
      switchedOffBecause: because ?? null,
      failingSince: timeOf(since),
      campuses: campuses ? JSON.parse(campuses) : [],
      oldestPendingAt: timeOf(oldest),
      pending: Number(pending),
      rejected: Number(rejected),
      dead: Number(dead),
    }),
  )
}

const timeOf = (milliseconds: string | null | undefined) => (milliseconds ? new Date(Number(milliseconds)) : null)

/** The deliveries of a day: how many were recorded, and what has become of them. */
export type DayOfDeliveries = {
  /** Such as 2026-03-02. */
  readonly day: string
  readonly recorded: number
  readonly waiting: number
  /** Rejected or dead. */
  readonly failed: number
}

type Days = { readonly now: Date; readonly days: number; readonly timeZone: string }

/** The last days of an endpoint in this zone, the oldest first, with zeros where there was nothing. */
export async function deliveriesByDay(handle: Handle, endpointId: number, { now, days, timeZone }: Days) {
  const rows = await handle.rows(
    `select to_char(day, 'YYYY-MM-DD'), count(d.id), count(d.id) filter (where d.state = 'pending'),
       count(d.id) filter (where d.state in ('rejected', 'dead'))
     from generate_series(
       date_trunc('day', $2::timestamptz at time zone $4) - ($3::int - 1) * interval '1 day',
       date_trunc('day', $2::timestamptz at time zone $4), interval '1 day'
     ) day left join deliveries d on d.endpoint_id = $1
       and d.created_at >= day at time zone $4 and d.created_at < (day + interval '1 day') at time zone $4
     group by day order by day`,
    [endpointId, now.toISOString(), days, timeZone],
  )
  return rows.map(([day, recorded, waiting, failed]): DayOfDeliveries => {
    return { day: String(day), recorded: Number(recorded), waiting: Number(waiting), failed: Number(failed) }
  })
}

/** The start of a day such as 2026-03-02 in this zone. */
export async function beginOfDay({ rows }: Pick<Handle, 'rows'>, day: string, timeZone: string): Promise<Date> {
  const [row] = await rows('select (extract(epoch from $1::date::timestamp at time zone $2) * 1000)::bigint', [
    day,
    timeZone,
  ])
  return new Date(Number(row?.[0]))
}
