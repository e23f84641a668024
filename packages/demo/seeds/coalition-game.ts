import { SQUAD_SIZE } from './campus-life/coalitions.ts'
import { timestamp } from './community/sql.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

const SEASON_DAYS = 180
const SEASONS = 4
const SQUADS = 4

/** The seasons of each bloc, and the squads of coalition members. */
export async function seedCoalitionGame(world: World): Promise<void> {
  await seedSeasons(world)
  await seedSquads(world)
}

/** All seasons but the last are over and have a winner. */
async function seedSeasons(world: World): Promise<void> {
  const running = timestamp(toSecond(world.now - (SEASON_DAYS / 3) * DAY))
  await world.derive(
    'bloc_deadlines',
    `insert into bloc_deadlines (bloc_id, coalition_id, begin_at, end_at, created_at, updated_at)
     select bloc, winner, begin_at, end_at, begin_at - interval '30 days', case when winner is null then begin_at - interval '30 days' else end_at end
     from (
       select b.id as bloc, ${running} - before * interval '${SEASON_DAYS} days' as begin_at,
         ${running} - (before - 1) * interval '${SEASON_DAYS} days' as end_at,
         case when before > 0 then (select (array_agg(c.id order by c.id))[1 + (before * 7 + b.id) % count(*)] from coalitions c where c.bloc_id = b.id) end as winner
       from blocs b, generate_series(${SEASONS - 1}, 0, -1) before) seasons
     order by begin_at, bloc`,
  )
}

/** Squads of the members who joined first and have not left. */
async function seedSquads(world: World): Promise<void> {
  const founded = timestamp(toSecond(world.now - 20 * DAY))
  const members = `select m.user_id, c.bloc_id, (place - 1) / ${SQUAD_SIZE} as nth, (place - 1) % ${SQUAD_SIZE} as seat from (
      select m.*, row_number() over (partition by c.bloc_id order by m.id) as place from coalitions_users m join coalitions c on c.id = m.coalition_id
      join cursus_users k on k.user_id = m.user_id and k.has_coalition and k.end_at is null and k.begin_at < ${founded}
    ) m join coalitions c on c.id = m.coalition_id where place <= ${SQUADS * SQUAD_SIZE}`
  await world.derive(
    'squads',
    `insert into squads (bloc_id, locked_at, created_at, updated_at)
     select bloc_id, locked, ${founded}, coalesce(locked, ${founded}) from (
       select distinct bloc_id, nth, case when nth % 2 = 0 then ${founded} + interval '7 days' end as locked from (${members}) m) squads
     order by bloc_id, nth`,
  )
  await world.derive(
    'squads_users',
    `insert into squads_users (squad_id, user_id, leader, validated, created_at, updated_at)
     select dense_rank() over (order by bloc_id, nth), user_id, seat = 0, (nth + seat) % 5 <> 4, ${founded}, ${founded}
     from (${members}) m order by bloc_id, nth, seat`,
  )
}
