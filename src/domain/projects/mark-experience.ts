import { type RawBuilder, sql } from 'kysely'
import type { Handle } from '../../database/database.ts'
import { insertRows } from '../../database/insert-rows.ts'
import { addExperience, type Gain } from './levels.ts'
import { fittingSession } from './registration.ts'

/** The points that a projects_user earns in one skill of a course, or in a course without skills. */
type Part = Gain & { readonly projects_user_id: number; readonly is_bonus: boolean }

/** A recorded part; `experience_id` is null if the course has no skills. */
type Recorded = Part & { readonly experience_id: number | null }

/**
 * Records the experience that projects_users earn by their best validated attempt, and adds what has changed to the levels
 * of their users (spec: projects 28). Runs after every write of a mark.
 */
export async function countMarks(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  const counted = await countable(tx, ids)
  if (counted.length === 0) return
  await startCounting(tx, counted, now)
  await record(tx, counted, await earnedParts(tx, counted, PRESENT_MARK, now), now)
}

/** Counts the mark that a new projects_user was created with. */
export async function countNewMark(tx: Handle, id: number, now: Date): Promise<void> {
  await markAsStarted(tx, [id])
  await countMarks(tx, [id], now)
}

/** Takes back what a projects_user has earned, before it is deleted. */
export async function uncountMarks(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  const counted = await countable(tx, ids)
  if (counted.length === 0) return
  await startCounting(tx, counted, now)
  await record(tx, counted, [], now)
}

/** Locks the projects_users that have or had a validated mark, and returns their ids. */
async function countable(tx: Handle, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select p.id from projects_users p
    where p.id = any(${[...ids]}::int[]) and (
      p.validated or exists (select from counted_marks k where k.projects_user_id = p.id) or exists (
        select from teams_users m join teams t on t.id = m.team_id where m.projects_user_id = p.id and t.validated))
    order by p.user_id, p.id for no key update of p`.execute(tx.kysely)
  return rows.map(({ id }) => id)
}

/**
 * Records, without changing levels, what projects_users had earned before their first counted change: existing levels
 * include it. Experience that exists by then is taken as its record.
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
  const marked = fresh.filter(({ had_mark }) => had_mark)
  const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id)
  await sql`
    update experiences set recorded = true where not recorded
      and projects_user_id = any(${idsOf(marked.filter(({ has_record }) => has_record))}::int[])`.execute(tx.kysely)
  const unrecorded = idsOf(marked.filter(({ has_record }) => !has_record))
  const parts = unrecorded.length === 0 ? [] : await earnedParts(tx, unrecorded, STARTING_MARK, now)
  await markAsStarted(tx, idsOf(fresh))
  await insertParts(tx, parts, now)
  await storeUnrecorded(tx, unrecorded, parts)
}

async function markAsStarted(tx: Handle, ids: readonly number[]): Promise<void> {
  await sql`
    insert into counted_marks (projects_user_id, is_started) select id, true from unnest(${[...ids]}::int[]) id
    on conflict (projects_user_id) do update set is_started = true`.execute(tx.kysely)
}

/** Replaces what is recorded by what is earned, and adds the difference to the levels. */
async function record(tx: Handle, ids: readonly number[], earned: readonly Part[], now: Date): Promise<void> {
  const added = new Map(earned.map((part) => [keyOf(part), part]))
  const removed: number[] = []
  const changed: object[] = []
  const gains: Gain[] = []
  let isUnrecordedChanged = false
  const change = (part: Part, points: number) => {
    if (points === 0) return
    gains.push({ user_id: part.user_id, cursus_id: part.cursus_id, skill_id: part.skill_id, points })
    isUnrecordedChanged ||= part.skill_id === null
  }
  for (const { experience_id, ...former } of await recordedParts(tx, ids)) {
    const part = added.get(keyOf(former))
    added.delete(keyOf(former))
    change(former, (part?.points ?? 0) - former.points)
    if (experience_id === null) continue
    if (part === undefined) removed.push(experience_id)
    else if (part.points !== former.points || part.is_bonus !== former.is_bonus) {
      changed.push({ id: experience_id, points: part.points, is_bonus: part.is_bonus })
    }
  }
  for (const part of added.values()) change(part, part.points)
  if (removed.length > 0) await tx.kysely.deleteFrom('experiences').where('id', 'in', removed).execute()
  if (changed.length > 0) {
    await sql`
      update experiences e set experience = c.points, is_bonus = c.is_bonus
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(id integer, points integer, is_bonus boolean)
      where e.id = c.id`.execute(tx.kysely)
  }
  await insertParts(tx, [...added.values()], now)
  if (isUnrecordedChanged) await storeUnrecorded(tx, ids, earned)
  await addExperience(tx, gains, now)
}

const keyOf = ({ projects_user_id, user_id, cursus_id, skill_id }: Part) =>
  `${projects_user_id} ${user_id} ${cursus_id} ${skill_id}`

async function insertParts(tx: Handle, parts: readonly Part[], now: Date): Promise<void> {
  const rows = parts.flatMap(({ projects_user_id, skill_id, points, ...part }) =>
    skill_id === null
      ? []
      : {
          ...part,
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

async function storeUnrecorded(tx: Handle, ids: readonly number[], parts: readonly Part[]): Promise<void> {
  const unskilled = parts.filter(({ skill_id }) => skill_id === null)
  await sql`
    update counted_marks k set unrecorded = (
      select coalesce(jsonb_agg(part), '[]') from jsonb_array_elements(${JSON.stringify(unskilled)}::jsonb) part
      where (part ->> 'projects_user_id')::integer = k.projects_user_id)
    where k.projects_user_id = any(${[...ids]}::int[])`.execute(tx.kysely)
}

/** The records are locked, since tutors may change them. */
async function recordedParts(tx: Handle, ids: readonly number[]): Promise<readonly Recorded[]> {
  const { rows } = await sql<Recorded>`
    with held as (
      select * from experiences where projects_user_id = any(${[...ids]}::int[]) and recorded order by id for update
    )
    select e.id as experience_id, e.projects_user_id, e.user_id, e.cursus_id, e.skill_id, e.experience as points, e.is_bonus
    from held e
    union all
    select null, part.* from counted_marks k, ${UNRECORDED} where k.projects_user_id = any(${[...ids]}::int[])
    order by 1`.execute(tx.kysely)
  return rows
}

const UNRECORDED = sql`jsonb_to_recordset(k.unrecorded) as part(
  projects_user_id integer, user_id integer, cursus_id integer, skill_id integer, points integer, is_bonus boolean)`

const PRESENT_MARK = sql<number | null>`case when p.validated then p.final_mark end`

/** Without a row of `counted_marks` the mark has not changed since counting began. */
const STARTING_MARK = sql<
  number | null
>`case when k.projects_user_id is null then ${PRESENT_MARK} else k.starting_mark end`

/** Largest number of points that one experience holds. */
const MAX_POINTS = 2 ** 31 - 1

/**
 * Returns the experience that projects_users earn by the best of `mark` and their earlier attempts. It counts in the course
 * of the team's session, else in the courses that it counts in already, else in each active course of the user that
 * contains the project.
 */
async function earnedParts(
  tx: Handle,
  ids: readonly number[],
  mark: RawBuilder<number | null>,
  now: Date,
): Promise<readonly Part[]> {
  const { rows } = await sql<Part>`
    with own as (
      select p.id, p.user_id, p.project_id, p.current_team_id, ${mark} as mark
      from projects_users p left join counted_marks k on k.projects_user_id = p.id
      where p.id = any(${[...ids]}::int[]) and p.status <> 'parent'
    ), best as (
      select distinct on (o.id) o.id, o.user_id, o.project_id, attempt.team_id, attempt.mark
      from own o, lateral (
        select o.current_team_id as team_id, o.mark where o.mark is not null
        union all
        select t.id, t.final_mark from teams_users m join teams t on t.id = m.team_id
        where m.projects_user_id = o.id and m.validated and t.validated and t.final_mark is not null
          and t.id is distinct from o.current_team_id
      ) attempt
      order by o.id, attempt.mark desc, attempt.team_id desc nulls last
    ), gain as (
      select b.id as projects_user_id, b.user_id, b.project_id, b.mark > 100 as is_bonus, s.id as session_id,
        case when t.id is not null then s.cursus_id end as cursus_id,
        least(round(coalesce(s.difficulty, j.difficulty, 0)::numeric * b.mark / 100), ${MAX_POINTS}::integer) as points
      from best b join projects j on j.id = b.project_id left join teams t on t.id = b.team_id
      left join project_sessions s
        on s.id = coalesce(t.project_session_id, (${fittingSession(sql`b.user_id`, sql`b.project_id`)}))
    ), held as (
      select e.projects_user_id, e.cursus_id from experiences e
      where e.projects_user_id = any(${[...ids]}::int[]) and e.recorded
      union
      select k.projects_user_id, part.cursus_id from counted_marks k, ${UNRECORDED}
      where k.projects_user_id = any(${[...ids]}::int[])
    ), counting as (
      select g.projects_user_id, g.user_id, g.session_id, g.points, g.is_bonus, c.cursus_id
      from gain g join cursus_users c on c.user_id = g.user_id and case
        when g.cursus_id is not null then c.cursus_id = g.cursus_id
        when exists (select from held h where h.projects_user_id = g.projects_user_id)
          then (g.projects_user_id, c.cursus_id) in (select projects_user_id, cursus_id from held)
        else c.begin_at <= ${now} and (c.end_at is null or c.end_at > ${now})
          and c.cursus_id in (select cursus_id from projects_cursus where project_id = g.project_id)
        end
    ), share as (
      select g.*, k.skill_id, round(g.points * (sum(k.value::numeric) over upto) / sum(k.value::numeric) over whole) as upto
      from counting g join project_sessions_skills k on k.project_session_id = g.session_id and k.value > 0
      window whole as (partition by g.projects_user_id, g.cursus_id), upto as (whole order by k.value desc, k.skill_id)
    ), part as (
      select projects_user_id, user_id, cursus_id, skill_id, is_bonus,
        upto - lag(upto, 1, 0) over (partition by projects_user_id, cursus_id order by upto) as points
      from share
      union all
      select projects_user_id, user_id, cursus_id,
        (select min(skill_id) from cursus_skills where cursus_id = g.cursus_id), is_bonus, points
      from counting g
      where not exists (
        select from project_sessions_skills k where k.project_session_id = g.session_id and k.value > 0)
    )
    select projects_user_id, user_id, cursus_id, skill_id, is_bonus, points::integer from part where points > 0
    order by 1, 2, 3, 4`.execute(tx.kysely)
  return rows
}
