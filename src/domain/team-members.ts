import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import type { WriteInput } from '../rest/resource.ts'
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

/** Holds the members of a team against the rules and lets their projects_users follow. Throws 422. */
export async function settleTeam(tx: Handle, { id, along, ownOnly, now }: SettleInput): Promise<number> {
  const team = await lockTeam(tx, id)
  const members = await membersOf(tx, id)
  await checkSize(tx, team, members.length)
  await chooseLeader(tx, members)
  // In the order of the users, so that teams that share people do not wait for each other in a circle.
  for (const member of members) {
    const projectsUserId = await enrol(tx, member.user_id, team.project_id, now)
    await refuseSecondTeam(tx, team, member)
    if (ownOnly && along.has(FIELD)) await requireOpen(tx, team, member, now)
    await join(tx, team, member, projectsUserId)
  }
  await followTeams(tx, await concernedBy(tx, id), now)
  return id
}

type SettleInput = Pick<WriteInput, 'id' | 'along' | 'ownOnly' | 'now'>

/** After a member was put into a team (POST /v2/teams_users). */
export async function settleMembership(tx: Handle, input: WriteInput): Promise<number> {
  await settleTeam(tx, { ...input, id: await teamOf(tx, input.id) })
  return input.id
}

/** Takes a member out of a team (DELETE /v2/teams_users/:id); somebody must be left. */
export async function leaveTeam(tx: Handle, input: WriteInput): Promise<number> {
  const teamId = await teamOf(tx, input.id)
  await tx.kysely.deleteFrom('teams_users').where('id', '=', input.id).execute()
  await settleTeam(tx, { ...input, id: teamId })
  return input.id
}

/** The people of a team, by ascending user id. */
export async function membersOf(tx: Handle, teamId: number): Promise<readonly Member[]> {
  return tx.kysely
    .selectFrom('teams_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id', 'm.user_id', 'm.leader', 'm.validated', 'm.projects_user_id', 'u.login'])
    .where('m.team_id', '=', teamId)
    .orderBy('m.user_id')
    .execute()
}

/** The projects_users of those who are in the team, and of those who have just left it. */
async function concernedBy(tx: Handle, teamId: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select projects_user_id as id from teams_users where team_id = ${teamId}
    union select id from projects_users where current_team_id = ${teamId}`.execute(tx.kysely)
  return rows.map(({ id }) => id)
}

async function teamOf(tx: Handle, membershipId: number): Promise<number> {
  const { team_id } = await tx.kysely
    .selectFrom('teams_users')
    .select('team_id')
    .where('id', '=', membershipId)
    .executeTakeFirstOrThrow()
  return team_id
}

async function checkSize(tx: Handle, team: Team, size: number): Promise<void> {
  if (size === 0) throw unprocessable({ [FIELD]: ['must name at least one member'] })
  const { solo, max_people } = await tx.kysely
    .selectFrom('project_sessions')
    .select(['solo', 'max_people'])
    .where('id', '=', team.project_session_id)
    .executeTakeFirstOrThrow()
  const most = solo ? 1 : (max_people ?? size)
  if (size > most) throw unprocessable({ [FIELD]: [`must name at most ${most}`] })
}

/** One leads: who was said to, or who was named first. */
async function chooseLeader(tx: Handle, members: readonly Member[]): Promise<void> {
  const leaders = members.filter(({ leader }) => leader)
  if (leaders.length > 1) throw unprocessable({ [FIELD]: ['must name one leader'] })
  if (leaders.length === 1) return
  const first = Math.min(...members.map(({ id }) => id))
  await tx.kysely.updateTable('teams_users').set({ leader: true }).where('id', '=', first).execute()
}

/** The projects_user is locked: of two teams that are made at once, the second sees the first. */
async function refuseSecondTeam(tx: Handle, team: Team, { user_id, login }: Member): Promise<void> {
  if (team.status === 'finished') return
  const other = await tx.kysely
    .selectFrom('teams_users as m')
    .innerJoin('teams as t', 't.id', 'm.team_id')
    .select('t.id')
    .where('m.user_id', '=', user_id)
    .where('t.project_id', '=', team.project_id)
    .where('t.id', '!=', team.id)
    .where('t.status', '!=', 'finished')
    .executeTakeFirst()
  if (other) throw unprocessable({ project_id: [`has an open team of ${login} already`] })
}

async function requireOpen(tx: Handle, team: Team, { user_id, login }: Member, now: Date): Promise<void> {
  if (await openSessionOf(tx, user_id, { projectId: team.project_id, exceptTeamId: team.id }, now)) return
  throw unprocessable({ project_id: [`is not open to ${login} now`] })
}

/** `occurrence` is the number of the user's earlier teams on the project. */
async function join(tx: Handle, team: Team, member: Member, projectsUserId: number): Promise<void> {
  await sql`
    update teams_users m
    set projects_user_id = ${projectsUserId}, validated = ${team.validated ?? false},
      occurrence = (
        select count(*) from teams_users e join teams t on t.id = e.team_id
        where e.user_id = m.user_id and t.project_id = ${team.project_id} and t.id < ${team.id}
      )
    where m.id = ${member.id}`.execute(tx.kysely)
}
