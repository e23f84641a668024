import type { ActionInput, Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { countMarks } from '../projects/mark-experience.ts'
import { followTeams } from '../projects/projects-users.ts'
import { sessionFor } from '../projects/registration.ts'
import { isEnough, lockTeam, markTeam, neededEvaluations, setMark } from '../projects/team-marks.ts'
import { chooseLeader, membersOf } from '../projects/team-members.ts'
import { destroyTeam } from '../projects/teams.ts'
import { updateRow } from '../rows.ts'
import { destroyEvaluation } from './evaluations.ts'

/** Recomputes a projects_user from the latest team, if enough of its evaluations are filled. */
export async function compileResult(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const team = await latestTeam(tx, id)
  if (team !== undefined && (await isEvaluated(tx, team))) await markTeam(tx, team, now)
  await followTeams(tx, [id], now)
  return id
}

async function isEvaluated(tx: Handle, teamId: number): Promise<boolean> {
  const { project_session_id } = await lockTeam(tx, teamId)
  const filled = await tx.kysely
    .selectFrom('scale_teams')
    .select('id')
    .where('team_id', '=', teamId)
    .where('filled_at', 'is not', null)
    .execute()
  return filled.length >= (await neededEvaluations(tx, project_session_id))
}

/** Sets the mark of the latest team, or of the projects_user if there is no team. */
export async function scaleResult(
  tx: Handle,
  {
    id,
    values,
    now,
  }: ActionInput<Values & { readonly user_id: number; readonly project_id: number; readonly scale: number }>,
): Promise<string> {
  const { user_id, project_id, scale } = values
  const team = await latestTeam(tx, id)
  if (team !== undefined) await setMark(tx, await lockTeam(tx, team), scale, now)
  else {
    const validated = await isEnough(tx, await sessionFor(tx, user_id, project_id), scale)
    await updateRow(tx, 'projects_users', id, {
      final_mark: scale,
      validated,
      status: 'finished',
      marked_at: now,
      updated_at: now,
    })
    await countMarks(tx, [id], now)
  }
  return '{}'
}

/**
 * Resets a projects_user. Deletes teams of the user alone with their evaluations, and removes the user from other
 * teams, which keep their marks.
 */
export async function resetResult(tx: Handle, input: ActionInput): Promise<string> {
  const { id, now } = input
  const memberships = await tx.kysely
    .selectFrom('teams_users')
    .select(['id', 'team_id'])
    .where('projects_user_id', '=', id)
    .orderBy('team_id')
    .execute()
  for (const membership of memberships) await leaveBehind(tx, membership, input)
  await updateRow(tx, 'projects_users', id, {
    retriable_at: null,
    final_mark: null,
    validated: null,
    marked_at: null,
    updated_at: now,
  })
  await followTeams(tx, [id], now)
  return '["Success"]'
}

type Membership = { readonly id: number; readonly team_id: number }

async function leaveBehind(tx: Handle, { id, team_id }: Membership, input: ActionInput): Promise<void> {
  const team = await lockTeam(tx, team_id)
  if ((await membersOf(tx, team.id)).length > 1) {
    await tx.kysely.deleteFrom('teams_users').where('id', '=', id).execute()
    await chooseLeader(tx, team.id, input.now)
    return
  }
  const evaluations = await tx.kysely.selectFrom('scale_teams').select('id').where('team_id', '=', team.id).execute()
  for (const evaluation of evaluations) await destroyEvaluation(tx, { ...input, id: evaluation.id, ownOnly: false })
  await destroyTeam(tx, { ...input, id: team.id, ownOnly: false })
}

async function latestTeam(tx: Handle, projectsUserId: number): Promise<number | undefined> {
  const row = await tx.kysely
    .selectFrom('teams_users')
    .select('team_id')
    .where('projects_user_id', '=', projectsUserId)
    .orderBy('team_id', 'desc')
    .executeTakeFirst()
  return row?.team_id
}
