import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { unprocessable } from '@campus/engine/errors'
import { type Selectable, sql } from 'kysely'
import type { Teams } from '../../../schema.ts'
import { notify } from '../../../services/notifications/notify.ts'
import { updateRow } from '../rows.ts'
import { followTeams } from './projects-users.ts'

export type Team = Selectable<Teams>

/** Locks a team. Throws 422 if it does not exist. */
export async function lockTeam(tx: Handle, id: number): Promise<Team> {
  const team = await tx.kysely.selectFrom('teams').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  if (!team) throw unprocessable({ team_id: ['must exist'] })
  return team
}

export async function neededEvaluations(tx: Handle, projectSessionId: number): Promise<number> {
  const { rows } = await sql<{ needed: number }>`
    select coalesce(sum(s.correction_number), 0)::int as needed
    from scales s join evaluations e on e.id = s.evaluation_id where e.project_session_id = ${projectSessionId}`.execute(
    tx.kysely,
  )
  return Math.max(1, rows[0]?.needed ?? 0)
}

/**
 * Sets the mark of a team to the rounded mean of its filled evaluations once its session's number is reached, else to
 * null. A negative flag counts as 0. Evaluations with an absent corrector do not count.
 */
export async function markTeam(tx: Handle, teamId: number, now: Date): Promise<void> {
  const team = await lockTeam(tx, teamId)
  const { rows } = await sql<{ filled: number; mean: number | null }>`
    select count(*)::int as filled, round(avg(case when f.positive then coalesce(s.final_mark, 0) else 0 end))::int as mean
    from scale_teams s join flags f on f.id = s.flag_id
    where s.team_id = ${teamId} and s.filled_at is not null
      and (s.truant_id is null or s.truant_id is distinct from s.user_id)`.execute(tx.kysely)
  const { filled = 0, mean = null } = rows[0] ?? {}
  const isMarked = filled >= (await neededEvaluations(tx, team.project_session_id))
  await setMark(tx, team, isMarked ? mean : null, now)
}

const MINIMUM_WITHOUT_SESSION = 50

/** Sets or removes the mark of a team, and updates its members' projects_users. */
export async function setMark(tx: Handle, team: Team, mark: number | null, now: Date): Promise<void> {
  await writeMark(tx, team, mark, now)
  const members = await tx.kysely
    .selectFrom('teams_users')
    .select('projects_user_id')
    .where('team_id', '=', team.id)
    .where('validated', '=', true)
    .execute()
  await followTeams(
    tx,
    members.flatMap(({ projects_user_id }) => projects_user_id ?? []),
    now,
  )
}

/** Leaves the projects_users to `finishTeam`, which locks them in order. */
export async function writeMark(tx: Handle, team: Team, mark: number | null, now: Date): Promise<void> {
  const validated = mark === null ? null : await isEnough(tx, team.project_session_id, mark)
  const said = { final_mark: mark, validated, status: statusOf({ ...team, final_mark: mark }) }
  if (!(await rowEquals(tx, 'teams', team.id, said))) {
    await updateRow(tx, 'teams', team.id, { ...said, updated_at: now })
    if (mark !== null && mark !== team.final_mark) await notifyMembers(tx, team, mark, now)
  }
}

async function notifyMembers(tx: Handle, { id, name }: Team, mark: number, now: Date): Promise<void> {
  const members = await tx.kysely
    .selectFrom('teams_users')
    .select('user_id')
    .where('team_id', '=', id)
    .where('validated', '=', true)
    .execute()
  const userIds = members.map(({ user_id }) => user_id)
  await notify(tx, { kind: 'project_marked', userIds, details: { teamId: id, team: name, mark }, now })
}

/** Reports whether a mark validates the project in a session, or by default. */
export async function isEnough(tx: Handle, sessionId: number | undefined, mark: number): Promise<boolean> {
  const session = await tx.kysely
    .selectFrom('project_sessions')
    .select('minimum_mark')
    .where('id', '=', sessionId ?? 0)
    .executeTakeFirst()
  return mark >= (session?.minimum_mark ?? MINIMUM_WITHOUT_SESSION)
}

export function statusOf(team: { final_mark: number | null; closed_at: unknown; locked_at: unknown }): string {
  if (team.final_mark !== null) return 'finished'
  if (team.closed_at !== null) return 'waiting_for_correction'
  return team.locked_at === null ? 'creating_group' : 'in_progress'
}
