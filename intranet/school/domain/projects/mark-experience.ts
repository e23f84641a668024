import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { type RawBuilder, sql } from 'kysely'
import { type Points, updateLevels } from './levels.ts'
import { fittingSession } from './registration.ts'

/** Points that a projects_user has earned. They have no skill if the course has no skills. */
type Earned = Points & { readonly projects_user_id: number; readonly is_bonus: boolean }

type Recorded = Earned & { readonly experience_id: number | null }

/**
 * Records the experience that the best validated attempt of each projects_user earns, and updates the levels of the
 * users (spec: projects 28). Must run after every write of a mark.
 */
export async function countMarks(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  await recount(tx, ids, now, (counted) => earnedPoints(tx, counted, PRESENT_MARK, now))
}

export async function countNewMark(tx: Handle, id: number, now: Date): Promise<void> {
  await markAsStarted(tx, [id])
  await countMarks(tx, [id], now)
}

/** Must run before the projects_users are deleted. */
export async function uncountMarks(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  await recount(tx, ids, now, () => [])
}

async function recount(
  tx: Handle,
  ids: readonly number[],
  now: Date,
  earn: (counted: readonly number[]) => readonly Earned[] | Promise<readonly Earned[]>,
): Promise<void> {
  const counted = await lockMarked(tx, ids)
  if (counted.length === 0) return
  await startCounting(tx, counted, now)
  const earned = await earn(counted)
  const recorded = await lockRecorded(tx, counted)
  await replaceExperiences(tx, recorded, earned, now)
  if ([...recorded, ...earned].some(({ skill_id }) => skill_id === null)) await storeUnrecorded(tx, counted, earned)
  await updateLevels(tx, recorded, earned, now)
}

async function lockMarked(tx: Handle, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from projects_users p
    where p.id = any(${[...ids]}::int[]) and (
      p.validated or exists (select from counted_marks k where k.projects_user_id = p.id) or exists (
        select from teams_users m join teams t on t.id = m.team_id where m.projects_user_id = p.id and t.validated))
    order by p.user_id, p.id for no key update of p`.execute(tx.kysely)
  return rows.map(({ id }) => id)
}

/**
 * Records the points that projects_users had earned before their first counted change. Leaves levels unchanged, since
 * they already include these points. Adopts the existing experience of a projects_user as its record.
 */
async function startCounting(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  const { rows: fresh } = await sql<{ id: number; had_mark: boolean; has_record: boolean }>`
    select p.id,
      ${STARTING_MARK} is not null or exists (
        select from teams_users m join teams t on t.id = m.team_id
        where m.projects_user_id = p.id and t.validated and t.id is distinct from p.current_team_id) as had_mark,
      exists (select from experiences e where e.user_id = p.user_id and e.projects_user_id = p.id) as has_record
    from projects_users p left join counted_marks k on k.projects_user_id = p.id
    where p.id = any(${[...ids]}::int[]) and k.is_started is not true`.execute(tx.kysely)
  if (fresh.length === 0) return
  const idsOf = (rows: typeof fresh) => rows.map(({ id }) => id)
  const recorded = idsOf(fresh.filter(({ had_mark, has_record }) => had_mark && has_record))
  await sql`
    update experiences set recorded = true
    where not recorded and projects_user_id = any(${recorded}::int[])`.execute(tx.kysely)
  const unrecorded = idsOf(fresh.filter(({ had_mark, has_record }) => had_mark && !has_record))
  const earned = unrecorded.length === 0 ? [] : await earnedPoints(tx, unrecorded, STARTING_MARK, now)
  await markAsStarted(tx, idsOf(fresh))
  await insertExperiences(tx, earned, now)
  await storeUnrecorded(tx, unrecorded, earned)
}

async function markAsStarted(tx: Handle, ids: readonly number[]): Promise<void> {
  await sql`
    insert into counted_marks (projects_user_id, is_started) select id, true from unnest(${[...ids]}::int[]) id
    on conflict (projects_user_id) do update set is_started = true`.execute(tx.kysely)
}

/** Makes the recorded experience equal to the earned one. Experience in a skill keeps its id. */
async function replaceExperiences(
  tx: Handle,
  recorded: readonly Recorded[],
  earned: readonly Earned[],
  now: Date,
): Promise<void> {
  const missing = new Map(earned.map((one) => [keyOf(one), one]))
  const removed: number[] = []
  const changed: object[] = []
  for (const former of recorded) {
    const present = missing.get(keyOf(former))
    missing.delete(keyOf(former))
    const { experience_id: id } = former
    if (id === null) continue
    if (present === undefined) removed.push(id)
    else if (present.points !== former.points || present.is_bonus !== former.is_bonus)
      changed.push({ id, points: present.points, is_bonus: present.is_bonus })
  }
  if (removed.length > 0) await tx.kysely.deleteFrom('experiences').where('id', 'in', removed).execute()
  if (changed.length > 0)
    await sql`
      update experiences e set experience = c.points, is_bonus = c.is_bonus
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(id integer, points integer, is_bonus boolean)
      where e.id = c.id`.execute(tx.kysely)
  await insertExperiences(tx, [...missing.values()], now)
}

const keyOf = ({ projects_user_id, user_id, cursus_id, skill_id }: Earned) =>
  `${projects_user_id} ${user_id} ${cursus_id} ${skill_id}`

async function insertExperiences(tx: Handle, earned: readonly Earned[], now: Date): Promise<void> {
  const rows = earned.flatMap(({ projects_user_id, skill_id, points, ...others }) =>
    skill_id === null
      ? []
      : {
          ...others,
          skill_id,
          experience: points,
          experiancable_type: 'ProjectsUser',
          experiancable_id: projects_user_id,
          recorded: true,
          created_at: now,
        },
  )
  await insertRows(tx, 'experiences', rows)
}

/** Stores the points in courses without skills, which no experience can record. */
async function storeUnrecorded(tx: Handle, ids: readonly number[], earned: readonly Earned[]): Promise<void> {
  const unrecorded = earned.filter(({ skill_id }) => skill_id === null)
  await sql`
    update counted_marks k set unrecorded = (
      select coalesce(jsonb_agg(one), '[]') from jsonb_array_elements(${JSON.stringify(unrecorded)}::jsonb) one
      where (one ->> 'projects_user_id')::integer = k.projects_user_id)
    where k.projects_user_id = any(${[...ids]}::int[])`.execute(tx.kysely)
}

/** Locks and returns the recorded points. Tutors may change the experiences at the same time. */
async function lockRecorded(tx: Handle, ids: readonly number[]): Promise<readonly Recorded[]> {
  const { rows } = await sql<Recorded>`
    with locked as (
      select * from experiences where projects_user_id = any(${[...ids]}::int[]) and recorded order by id for update
    )
    select e.id as experience_id, e.projects_user_id, e.user_id, e.cursus_id, e.skill_id, e.experience as points, e.is_bonus
    from locked e
    union all
    select null, one.* from counted_marks k, ${UNRECORDED} where k.projects_user_id = any(${[...ids]}::int[])
    order by 1`.execute(tx.kysely)
  return rows
}

const UNRECORDED = sql`jsonb_to_recordset(k.unrecorded) as one(
  projects_user_id integer, user_id integer, cursus_id integer, skill_id integer, points integer, is_bonus boolean)`

const PRESENT_MARK = sql<number | null>`case when p.validated then p.final_mark end`

/** If `counted_marks` has no row, the mark has not changed since counting began. */
const STARTING_MARK = sql<
  number | null
>`case when k.projects_user_id is null then ${PRESENT_MARK} else k.starting_mark end`

const MAX_POINTS = 2 ** 31 - 1

/**
 * Returns the points that projects_users earn with the best of `mark` and their earlier attempts. The points count in
 * the course of the team's session; otherwise in the courses in which they count already; otherwise in each active
 * course of the user that contains the project. They are split among the skills of the session, with cumulative
 * rounding so that the sum is exact.
 */
async function earnedPoints(
  tx: Handle,
  ids: readonly number[],
  mark: RawBuilder<number | null>,
  now: Date,
): Promise<readonly Earned[]> {
  const { rows } = await sql<Earned>`
    with candidate as (
      select p.id, p.user_id, p.project_id, p.current_team_id, ${mark} as mark
      from projects_users p left join counted_marks k on k.projects_user_id = p.id
      where p.id = any(${[...ids]}::int[]) and p.status <> 'parent'
    ), best_attempt as (
      select distinct on (c.id) c.id, c.user_id, c.project_id, attempt.team_id, attempt.mark
      from candidate c, lateral (
        select c.current_team_id as team_id, c.mark where c.mark is not null
        union all
        select t.id, t.final_mark from teams_users m join teams t on t.id = m.team_id
        where m.projects_user_id = c.id and m.validated and t.validated and t.final_mark is not null
          and t.id is distinct from c.current_team_id
      ) attempt
      order by c.id, attempt.mark desc, attempt.team_id desc nulls last
    ), total as (
      select b.id as projects_user_id, b.user_id, b.project_id, b.mark > 100 as is_bonus, s.id as session_id,
        case when t.id is not null then s.cursus_id end as cursus_id,
        least(round(coalesce(s.difficulty, j.difficulty, 0)::numeric * b.mark / 100), ${MAX_POINTS}::integer) as points
      from best_attempt b join projects j on j.id = b.project_id left join teams t on t.id = b.team_id
      left join project_sessions s
        on s.id = coalesce(t.project_session_id, (${fittingSession(sql`b.user_id`, sql`b.project_id`)}))
    ), counted_before as (
      select e.projects_user_id, e.cursus_id from experiences e
      where e.projects_user_id = any(${[...ids]}::int[]) and e.recorded
      union
      select k.projects_user_id, one.cursus_id from counted_marks k, ${UNRECORDED}
      where k.projects_user_id = any(${[...ids]}::int[])
    ), in_course as (
      select t.projects_user_id, t.user_id, t.session_id, t.points, t.is_bonus, c.cursus_id
      from total t join cursus_users c on c.user_id = t.user_id and case
        when t.cursus_id is not null then c.cursus_id = t.cursus_id
        when exists (select from counted_before b where b.projects_user_id = t.projects_user_id)
          then (t.projects_user_id, c.cursus_id) in (select projects_user_id, cursus_id from counted_before)
        else c.begin_at <= ${now} and (c.end_at is null or c.end_at > ${now})
          and c.cursus_id in (select cursus_id from projects_cursus where project_id = t.project_id)
        end
    ), cumulative as (
      select t.*, k.skill_id, round(t.points * (sum(k.value::numeric) over upto) / sum(k.value::numeric) over whole) as upto
      from in_course t join project_sessions_skills k on k.project_session_id = t.session_id and k.value > 0
      window whole as (partition by t.projects_user_id, t.cursus_id), upto as (whole order by k.value desc, k.skill_id)
    ), in_skill as (
      select projects_user_id, user_id, cursus_id, skill_id, is_bonus,
        upto - lag(upto, 1, 0) over (partition by projects_user_id, cursus_id order by upto) as points
      from cumulative
      union all
      select projects_user_id, user_id, cursus_id,
        (select min(skill_id) from cursus_skills where cursus_id = t.cursus_id), is_bonus, points
      from in_course t
      where not exists (
        select from project_sessions_skills k where k.project_session_id = t.session_id and k.value > 0)
    )
    select projects_user_id, user_id, cursus_id, skill_id, is_bonus, points::integer from in_skill where points > 0
    order by 1, 2, 3, 4`.execute(tx.kysely)
  return rows
}
