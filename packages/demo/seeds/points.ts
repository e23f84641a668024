import { timestamp } from './community/sql.ts'
import type { World } from './world.ts'

export const PROVIDED = 'Provided points to the pool.'

/** The history behind the evaluation points of each user: bookings, defences, initial points and gifts to the pool. */
export async function seedPoints(world: World): Promise<void> {
  const now = timestamp(world.now)
  await world.derive(
    'correction_point_historics',
    `insert into correction_point_historics
       (user_data_id, scale_team_id, reason, sum, total, created_at, updated_at)
     with moved as (
       select m.user_id, t.id as scale_team_id, 'Defense plannification' as reason, -1 as sum, t.created_at as at
       from scale_teams t join teams_users m on m.team_id = t.team_id and m.validated
       union all
       select user_id, id, 'Earning after defense', 1, filled_at from scale_teams
       where filled_at is not null and user_id is not null and truant_id is distinct from user_id
     ), counted as (
       select *, sum(sum) over (partition by user_id order by at, scale_team_id, sum) as so_far from moved
     ), sums as (
       select user_id, sum(sum) as moved, min(so_far) as least, min(at) as first_at, max(at) as last_at
       from counted group by user_id
     ), people as (
       -- Totals never fall below 0 and end at the points of the user.
       select u.id as user_id, u.correction_point as held, coalesce(moved, 0) as moved,
         greatest(case when moved is null then 0 else 4 end, -least, u.correction_point - coalesce(moved, 0)) as begun,
         least(u.created_at, first_at) as first_at, least(${now}, coalesce(last_at, u.created_at) + interval '1 day') as last_at
       from users u left join sums on sums.user_id = u.id
     ), entries as (
       select user_id, null::integer as scale_team_id, 'Creation' as reason, begun as sum, first_at as at, 0 as place
       from people where begun <> 0
       union all
       select user_id, scale_team_id, reason, sum, at, 1 from moved
       union all
       select user_id, null, '${PROVIDED}', held - moved - begun, last_at, 2
       from people where held <> moved + begun
     )
     select user_id, scale_team_id, reason, sum,
       sum(sum) over (partition by user_id order by place, at, scale_team_id, sum) as total,
       at as created_at, at as updated_at
     from entries order by at, user_id, place, scale_team_id, sum`,
  )
}
