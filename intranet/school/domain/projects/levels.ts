import type { Handle } from '@campus/engine/database/database'
import { type RawBuilder, sql } from 'kysely'

/** Points that a user has in a course. Without a skill, they count only for the level of the course. */
export type Points = {
  readonly user_id: number
  readonly cursus_id: number
  readonly skill_id: number | null
  readonly points: number
}

/**
 * Changes the levels of users in courses and skills by the difference between former and present experience (spec:
 * projects 30, 31). A level that the service did not compute is a starting point, and its points are derived from it.
 */
export async function updateLevels(
  tx: Handle,
  former: readonly Points[],
  present: readonly Points[],
  now: Date,
): Promise<void> {
  const gains = differenceOf(former, present)
  if (gains.length === 0) return
  const json = JSON.stringify(gains)
  await sql`
    with gain as (${sumOf(json, 'user_id, cursus_id')}), step as (${STEPS}),
    stored as (
      select c.id, c.cursus_id, c.level, c.experience, c.counted_level, g.points
      from cursus_users c join gain g using (user_id, cursus_id) order by c.id for no key update of c
    ), total as (${TOTALS})
    update cursus_users c
    set level = coalesce(${LEVEL_OF_POINTS}, c.level), counted_level = coalesce(${LEVEL_OF_POINTS}, c.level),
      experience = t.points, updated_at = ${now}
    from total t where c.id = t.id`.execute(tx.kysely)
  if (gains.some(({ skill_id }) => skill_id !== null)) await updateSkillLevels(tx, json)
}

/** Returns the points that were gained, or lost if negative, in each course and skill. Leaves out what has not changed. */
function differenceOf(former: readonly Points[], present: readonly Points[]): readonly Points[] {
  const gains = new Map<string, Points>()
  const add = ({ user_id, cursus_id, skill_id }: Points, points: number) => {
    const key = `${user_id} ${cursus_id} ${skill_id}`
    gains.set(key, { user_id, cursus_id, skill_id, points: (gains.get(key)?.points ?? 0) + points })
  }
  for (const one of former) add(one, -one.points)
  for (const one of present) add(one, one.points)
  return [...gains.values()].filter(({ points }) => points !== 0)
}

/** `updateLevels` has locked the cursus_users, so that concurrent changes of skills wait. */
async function updateSkillLevels(tx: Handle, json: string): Promise<void> {
  const gain = sumOf(json, 'user_id, cursus_id, skill_id')
  await sql`
    insert into cursus_users_skills (cursus_user_id, skill_id)
    select c.id, g.skill_id from (${gain}) g join cursus_users c using (user_id, cursus_id)
    where g.points > 0 and g.skill_id is not null and exists (select from levels where cursus_id = g.cursus_id)
    order by 1, 2 on conflict do nothing`.execute(tx.kysely)
  await sql`
    with gain as (${gain}), step as (${STEPS}),
    stored as (
      select s.id, g.cursus_id, s.level, s.experience, s.counted_level, g.points
      from cursus_users_skills s join cursus_users c on c.id = s.cursus_user_id
      join gain g on g.user_id = c.user_id and g.cursus_id = c.cursus_id and g.skill_id = s.skill_id
    ), total as (${TOTALS}), gone as (
      delete from cursus_users_skills s using total t where s.id = t.id and t.points = 0
    )
    update cursus_users_skills s
    set level = coalesce(${LEVEL_OF_POINTS}, s.level), counted_level = coalesce(${LEVEL_OF_POINTS}, s.level),
      experience = t.points
    from total t where s.id = t.id and t.points is distinct from 0`.execute(tx.kysely)
}

const sumOf = (json: string, by: string): RawBuilder<unknown> => sql`
  select ${sql.raw(by)}, sum(points) as points
  from jsonb_to_recordset(${json}::jsonb) as g(user_id integer, cursus_id integer, skill_id integer, points double precision)
  group by ${sql.raw(by)}`

/** Thresholds of the courses in `gain`, each with the next one. Level 0 needs no points. */
const STEPS = sql`
  select cursus_id, lvl, xp, lead(lvl) over next as next_lvl, lead(xp) over next as next_xp
  from (
    select cursus_id, lvl, xp from levels where lvl > 0 and cursus_id in (select cursus_id from gain)
    union all select distinct cursus_id, 0, 0 from levels where cursus_id in (select cursus_id from gain)
  ) threshold window next as (partition by cursus_id order by lvl)`

/** Points of a level. Null above the last threshold, and in courses without thresholds. */
const POINTS_OF_LEVEL = sql`(
  select s.xp + case when h.level = s.lvl then 0 else (h.level - s.lvl) / (s.next_lvl - s.lvl) * (s.next_xp - s.xp) end
  from step s where s.cursus_id = h.cursus_id and s.lvl <= h.level order by s.lvl desc limit 1)`

const TOTALS = sql`
  select id, cursus_id, case when former is not null then greatest(former + points, 0) end as points
  from (
    select h.*, coalesce(case when h.level = h.counted_level then h.experience end, ${POINTS_OF_LEVEL}) as former
    from stored h
  ) known`

/** Level of points. Its decimals are hundredths of the way to the next level. */
const LEVEL_OF_POINTS = sql`(
  select round((s.lvl + coalesce((t.points - s.xp) / (s.next_xp - s.xp) * (s.next_lvl - s.lvl), 0))::numeric, 2)
  from step s where s.cursus_id = t.cursus_id and s.xp <= t.points order by s.lvl desc limit 1)::double precision`
