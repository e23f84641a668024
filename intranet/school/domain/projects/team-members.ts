import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { readRow, updateRow } from '../rows.ts'
import { enrol, followTeams } from './projects-users.ts'
import { openSessionOf } from './registration.ts'
import { lockTeam, type Team } from './team-marks.ts'

const FIELD = 'teams_users_attributes'

type Member = {
  readonly id: number
  readonly user_id: number
  readonly login: string
  readonly leader: boolean
  readonly validated: boolean
  readonly projects_user_id: number | null
}

/** Checks the members of a team, and updates their projects_users. Throws 422. */
export async function finishTeam(tx: Handle, { id, ownOnly, now }: FinishTeamInput): Promise<number> {
  const team = await lockTeam(tx, id)
  await chooseLeader(tx, id, now)
  await forgetInvited(tx, team)
  const members = await membersOf(tx, id)
  const places = await placesIn(tx, team, members.length)
  if (members.length > places) throw unprocessable({ [FIELD]: [message('must name at most {most}', { most: places })] })
  // By ascending user id, so that transactions that share users do not deadlock.
  for (const member of members) {
    const projectsUserId = await enrol(tx, member.user_id, team.project_id, now)
    await refuseSecondTeam(tx, team, member)
    if (ownOnly && member.projects_user_id === null) await requireOpen(tx, team, member, now)
    await join(tx, team, member, projectsUserId)
  }
  await followTeams(tx, await concernedBy(tx, id), now)
  return id
}

type FinishTeamInput = Pick<ActionInput, 'id' | 'ownOnly' | 'now'>

/** Returns the members by ascending user id, without invited users. */
export async function membersOf(tx: Handle, teamId: number): Promise<readonly Member[]> {
  return tx.kysely
    .selectFrom('teams_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id', 'm.user_id', 'm.leader', 'm.validated', 'm.projects_user_id', 'u.login'])
    .where('m.team_id', '=', teamId)
    .where('m.validated', '=', true)
    .orderBy('m.user_id')
    .execute()
}

/** Returns the maximum size of the team, at least `size` if the session has no limit. */
export async function placesIn(tx: Handle, team: Team, size: number): Promise<number> {
  const { solo, max_people } = await readRow(tx, 'project_sessions', team.project_session_id, ['solo', 'max_people'])
  return solo ? 1 : (max_people ?? size)
}

/** Includes members who have just left. */
async function concernedBy(tx: Handle, teamId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select projects_user_id as id from teams_users where team_id = ${teamId} and projects_user_id is not null
    union select id from projects_users where current_team_id = ${teamId}`.execute(tx.kysely)
  return rows.map(({ id }) => id)
}

/** Keeps the named leader, else chooses the first member, else the first user. */
export async function chooseLeader(tx: Handle, teamId: number, now: Date): Promise<void> {
  const roster = await tx.kysely
    .selectFrom('teams_users')
    .select(['id', 'leader', 'validated'])
    .where('team_id', '=', teamId)
    .orderBy('validated', 'desc')
    .orderBy('id')
    .execute()
  const leaders = roster.filter(({ leader }) => leader)
  if (leaders.length > 1) throw unprocessable({ [FIELD]: ['must name one leader'] })
  const [first] = roster
  if (!first) throw unprocessable({ [FIELD]: ['must name at least one member'] })
  if (leaders.length === 1) return
  await updateRow(tx, 'teams_users', first.id, { leader: true, validated: true, updated_at: now })
}

/** Removes invited users from the results of the team, and from a locked team. */
async function forgetInvited(tx: Handle, team: Team): Promise<void> {
  if (team.locked_at !== null) {
    await tx.kysely.deleteFrom('teams_users').where('team_id', '=', team.id).where('validated', '=', false).execute()
  }
  await tx.kysely
    .updateTable('teams_users')
    .set({ projects_user_id: null, occurrence: 0 })
    .where('team_id', '=', team.id)
    .where('validated', '=', false)
    .where('projects_user_id', 'is not', null)
    .execute()
}

/** The projects_user is locked, so that concurrent teams see each other. */
async function refuseSecondTeam(tx: Handle, team: Team, { user_id, login }: Member): Promise<void> {
  if (team.status === 'finished') return
  const other = await tx.kysely
    .selectFrom('teams_users as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select('t.id')
    .where('m.user_id', '=', user_id)
    .where('m.validated', '=', true)
    .where('t.project_id', '=', team.project_id)
    .where('t.id', '!=', team.id)
    .where('t.status', '!=', 'finished')
    .executeTakeFirst()
  if (other) throw unprocessable({ project_id: [message('has an open team of {login} already', { login })] })
}

async function requireOpen(tx: Handle, team: Team, { user_id, login }: Member, now: Date): Promise<void> {
  if (await openSessionOf(tx, user_id, { projectId: team.project_id, exceptTeamId: team.id }, now)) return
  throw unprocessable({ project_id: [message('is not open to {who} now', { who: login })] })
}

async function join(tx: Handle, team: Team, member: Member, projectsUserId: number): Promise<void> {
  await sql`
    update teams_users m
    set projects_user_id = ${projectsUserId}, occurrence = (
      select count(*) from teams_users e join teams t on t.id = e.team_id
      where e.user_id = m.user_id and e.validated and t.project_id = ${team.project_id} and t.id < ${team.id}
    )
    where m.id = ${member.id}`.execute(tx.kysely)
}
