import { CAMPUSES, CORE, openedAt } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

const SEASON = 180 * DAY
const SEASONS = 4
const SQUAD_SIZE = 3
const SQUADS = 12

/** The bloc in which all coalitions stand; the other campuses wait for theirs. */
const BLOC = 1

/** What coalitions play for: their blocs, season by season, and where each of their points comes from. */
export async function seedCoalitionGame(world: World): Promise<void> {
  await seedBlocs(world)
  await seedScores(world)
  await seedSquads(world)
}

async function seedBlocs(world: World): Promise<void> {
  const opened = openedAt(world.now)
  const TIMES = { created_at: 'timestamptz', updated_at: 'timestamptz' } as const
  await world.insert(
    'blocs',
    { id: 'integer', campus_id: 'integer', cursus_id: 'integer', squad_size: 'integer', ...TIMES },
    CAMPUSES.length,
    CAMPUSES.map(({ id }) => ({
      id,
      campus_id: id,
      cursus_id: CORE,
      squad_size: SQUAD_SIZE,
      created_at: opened,
      updated_at: opened,
    })),
  )
  await world.run(`update coalitions set bloc_id = ${BLOC}`)
  const running = toSecond(world.now - SEASON / 3)
  const chance = world.random('coalition game')
  await world.insert(
    'bloc_deadlines',
    {
      id: 'integer',
      bloc_id: 'integer',
      coalition_id: 'integer',
      begin_at: 'timestamptz',
      end_at: 'timestamptz',
      ...TIMES,
    },
    SEASONS,
    Array.from({ length: SEASONS }, (_, index) => {
      const begin_at = running - (SEASONS - 1 - index) * SEASON
      const coalition_id = index === SEASONS - 1 ? null : chance.integer(1, 4)
      const times = { created_at: begin_at - 30 * DAY, updated_at: begin_at + (coalition_id ? SEASON : 0) }
      return { id: index + 1, bloc_id: BLOC, coalition_id, begin_at, end_at: begin_at + SEASON, ...times }
    }),
  )
}

/** Two for each who has points, which come to what they have. */
async function seedScores(world: World): Promise<void> {
  const now = `to_timestamp(${toSecond(world.now)} / 1000.0)`
  await world.derive(
    'scores',
    `insert into scores (coalition_id, coalitions_user_id, scoreable_type, value, reason, created_at, updated_at)
     select coalition_id, member, kind, value, reason, given_at, given_at from (
       select m.coalition_id, m.id as member, part.kind, part.value, part.reason,
         greatest(m.created_at, ${now} - make_interval(hours => (m.id::bigint * part.stride % 4000)::integer)) as given_at
       from coalitions_users m, lateral (values
         ('Location', m.score / 2, 'Hours at the campus', 7919), ('ScaleTeam', m.score - m.score / 2, 'Evaluated others', 104729)
       ) part (kind, value, reason, stride)
     ) given where value <> 0 order by given_at, member, kind`,
  )
  await world.run(
    `update coalitions_users m set this_year_score_updated_at = last.at
     from (select coalitions_user_id as id, max(created_at) as at from scores group by 1) last where last.id = m.id`,
  )
}

async function seedSquads(world: World): Promise<void> {
  const founded = `to_timestamp(${toSecond(world.now - 20 * DAY)} / 1000.0)`
  const members = `select user_id, (row_number() over (order by id) - 1)::integer as place
    from coalitions_users order by id limit ${SQUADS * SQUAD_SIZE}`
  await world.derive(
    'squads',
    `insert into squads (bloc_id, locked_at, created_at, updated_at)
     select distinct on (squad) ${BLOC}, case when squad % 2 = 0 then ${founded} + interval '7 days' end, ${founded}, ${founded}
     from (select place / ${SQUAD_SIZE} as squad from (${members}) m) squads order by squad`,
  )
  await world.derive(
    'squads_users',
    `insert into squads_users (squad_id, user_id, leader, validated, created_at, updated_at)
     select place / ${SQUAD_SIZE} + 1, user_id, place % ${SQUAD_SIZE} = 0, place % 5 <> 4, ${founded}, ${founded}
     from (${members}) m order by place`,
  )
}
