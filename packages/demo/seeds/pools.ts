import { PROVIDED } from './points.ts'
import { CORE } from './school.ts'
import { DAY, HOUR } from './time.ts'
import type { World } from './world.ts'

const MAX_POINTS = 300
const ROUND = 100
const SALE_INTERVAL = 30 * DAY
const SALES = 6

/** The pool of every cursus at each campus, and monthly sales of two days. The latest sale still runs. */
export async function seedPools(world: World): Promise<void> {
  await world.derive(
    'pools',
    `insert into pools (current_points, max_points, cursus_id, campus_id, created_at, updated_at)
     select points, greatest(${MAX_POINTS}, ceil(points / ${ROUND}.0) * ${ROUND}), cursus.id, campus.id,
       greatest(campus.created_at, cursus.created_at), to_timestamp(${world.now - HOUR} / 1000.0)
     from campus cross join cursus
     left join lateral (
       select -sum(h.sum) as given from correction_point_historics h join campus_users m on m.user_id = h.user_data_id and m.is_primary
       where h.reason = '${PROVIDED}' and m.campus_id = campus.id and cursus.id = ${CORE}) provided on true
     cross join lateral (select coalesce(given, 0)::integer as points) held
     order by campus.id, cursus.id`,
  )
  await world.derive(
    'balances',
    `insert into balances (pool_id, begin_at, end_at, created_at, updated_at)
     select pools.id, begin_at, case when nth > 0 then begin_at + interval '2 days' end, begin_at, begin_at
     from generate_series(${SALES - 1}, 0, -1) nth
     cross join lateral (select to_timestamp((${world.now - DAY} - nth * ${SALE_INTERVAL}::bigint) / 1000.0) as begin_at) sale
     cross join pools order by begin_at, pools.id`,
  )
}
