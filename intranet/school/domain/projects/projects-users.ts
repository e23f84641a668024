import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { countMarks } from './mark-experience.ts'

/** Finds or creates the projects_users for a project and its parent. Locks the first and returns its id. */
export async function enrol(tx: Handle, userId: number, projectId: number, now: Date): Promise<number> {
  const parents = await tx.kysely.selectFrom('projects').select('parent_id').where('id', '=', projectId).execute()
  const parentId = parents[0]?.parent_id
  const times = { created_at: now, updated_at: now }
  await tx.kysely
    .insertInto('projects_users')
    .values([
      { user_id: userId, project_id: projectId, ...times },
      ...(parentId ? [{ user_id: userId, project_id: parentId, status: 'parent', ...times }] : []),
    ])
    .onConflict((conflict) => conflict.columns(['user_id', 'project_id']).doNothing())
    .execute()
  const present = await tx.kysely
    .selectFrom('projects_users')
    .select('id')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .forUpdate()
    .executeTakeFirst()
  // The conflicting row may have been deleted while this transaction waited for its lock.
  return present ? present.id : enrol(tx, userId, projectId, now)
}

/** Copies the state of each user's latest team to projects_users, updates their parents, and counts the marks. */
export async function followTeams(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length === 0) return
  // Locks in the order of `finishTeam`.
  await sql`select from projects_users where id = any(${ids}) order by user_id, id for no key update`.execute(tx.kysely)
  await sql`
    update projects_users p
    set current_team_id = latest.id, status = coalesce(latest.status, 'searching_a_group'),
      final_mark = latest.final_mark, validated = latest.validated, occurrence = coalesce(latest.occurrence, 0),
      marked_at = case
        when latest.final_mark is null then null
        when p.final_mark = latest.final_mark and p.current_team_id = latest.id then p.marked_at
        else ${now}::timestamptz
      end,
      updated_at = ${now}
    from (
      select f.id as projects_user_id, t.id, t.status, t.final_mark, t.validated, t.occurrence
      from unnest(${[...ids]}::int[]) f(id) left join lateral (
        select t.id, t.status, t.final_mark, t.validated, m.occurrence
        from teams_users m join teams t on t.id = m.team_id
        where m.projects_user_id = f.id order by t.id desc limit 1
      ) t on true
    ) latest
    where p.id = latest.projects_user_id and (p.current_team_id, p.status, p.final_mark, p.validated, p.occurrence)
      is distinct from (latest.id, coalesce(latest.status, 'searching_a_group'), latest.final_mark, latest.validated,
        coalesce(latest.occurrence, 0))`.execute(tx.kysely)
  await markParents(tx, ids, now)
  await countMarks(tx, ids, now)
}

/** A parent is validated with the mean of its children once all are validated. */
async function markParents(tx: Handle, ids: readonly number[], now: Date): Promise<void> {
  await sql`
    update projects_users p
    set final_mark = whole.mark, validated = case when whole.mark is not null then true end,
      marked_at = case when whole.mark is not null then ${now}::timestamptz end, updated_at = ${now}
    from (
      select parent.id,
        case when bool_and(coalesce(part.validated, false)) then round(avg(part.final_mark))::int end as mark
      from projects_users child
      join projects c on c.id = child.project_id
      join projects_users parent on parent.user_id = child.user_id and parent.project_id = c.parent_id
      join projects sibling on sibling.parent_id = c.parent_id
      left join projects_users part on part.user_id = child.user_id and part.project_id = sibling.id
      where child.id = any(${[...ids]}::int[]) and parent.status = 'parent'
      group by parent.id
    ) whole
    where p.id = whole.id and p.final_mark is distinct from whole.mark`.execute(tx.kysely)
}
