import { randomUUID } from 'node:crypto'
import { type ActionInput, chosenId } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { notify } from '../../../services/notifications/notify.ts'
import { findRow, insertRow, updateRow } from '../rows.ts'
import { membershipOf, requireLeader } from './memberships.ts'
import { followTeams } from './projects-users.ts'
import { openSessionOf, sessionFor } from './registration.ts'
import { lockTeam, setMark, statusOf, type Team, writeMark } from './team-marks.ts'
import { chooseLeader, finishTeam, membersOf } from './team-members.ts'

type TeamValues = {
  readonly project_id?: number
  readonly project_session_id?: number
  readonly name?: string
  readonly repo_url?: string | null
  readonly repo_uuid?: string | null
  readonly created_at?: string
  readonly updated_at?: string
  readonly locked_at?: string | null
  readonly closed_at?: string | null
  readonly deadline_at?: string | null
  readonly terminating_at?: string | null
  readonly final_mark?: number | null
}
type NewTeamValues = TeamValues & { readonly project_id: number }

/** Creates a team (POST /v2/teams). The engine inserts other members after it and calls `finishNewTeam` last. */
export async function createTeam(tx: Handle, input: ActionInput<NewTeamValues>): Promise<number> {
  const { caller, ownOnly, now } = input
  const values = ownOnly ? stamped(input.values, now) : input.values
  const projectId = values.project_id
  const sessionId = await provisionalSession(tx, projectId, values.project_session_id)
  if (ownOnly) await requireOpen(tx, defined(caller.resourceOwnerId), values, now)
  checkDeadline(values, now)
  const times = { locked_at: values.locked_at ?? values.closed_at ?? null, closed_at: values.closed_at ?? null }
  const id = await insertRow(tx, 'teams', {
    ...chosenId(values),
    created_at: now,
    updated_at: now,
    ...given(values),
    ...times,
    final_mark: null,
    project_id: projectId,
    project_session_id: sessionId,
    name: values.name ?? '',
    repo_uuid: values.repo_uuid ?? randomUUID(),
    status: statusOf({ final_mark: null, locked_at: times.locked_at, closed_at: times.closed_at }),
  })
  if (ownOnly) await lead(tx, id, defined(caller.resourceOwnerId), now)
  return id
}

export const lead = (tx: Handle, team_id: number, user_id: number, now: Date) =>
  tx.kysely
    .insertInto('teams_users')
    .values({ team_id, user_id, leader: true, validated: true, created_at: now, updated_at: now })
    .execute()

/** Sets what follows from the members of a new team: session, name and repository. Checks the rules on members. */
export async function finishNewTeam(tx: Handle, input: ActionInput<NewTeamValues>): Promise<number> {
  const { id, values, caller, ownOnly, now } = input
  const owner = caller.resourceOwnerId
  const named = await tx.kysely.selectFrom('teams_users').select('id').where('team_id', '=', id).executeTakeFirst()
  if (!named && owner !== null) await lead(tx, id, owner, now)
  await chooseLeader(tx, id, now)
  const leader = (await membersOf(tx, id)).find((member) => member.leader)
  if (leader) {
    const projectId = values.project_id
    const found = ownOnly
      ? openSessionOf(tx, leader.user_id, { projectId, exceptTeamId: id }, now)
      : sessionFor(tx, leader.user_id, projectId)
    const sessionId = values.project_session_id ?? (await found)
    if (!sessionId)
      throw unprocessable({
        project_session_id: [message('must be said: no session is for {whom}', { whom: leader.login })],
      })
    await updateRow(tx, 'teams', id, {
      project_session_id: sessionId,
      ...(values.name ? {} : { name: `${leader.login}'s group` }),
      ...(values.repo_uuid ? {} : { repo_uuid: `intra-uuid-${randomUUID()}-${id}-${leader.login}` }),
    })
  }
  await finishTeam(tx, input)
  if (values.final_mark != null) await setMark(tx, await lockTeam(tx, id), values.final_mark, now)
  return id
}

export async function updateTeam(tx: Handle, input: ActionInput<TeamValues>): Promise<number> {
  const { id, caller, ownOnly, now } = input
  const values = ownOnly ? stamped(input.values, now) : input.values
  const team = await lockTeam(tx, id)
  if (ownOnly) {
    refuseUndoing(team, values)
    const isLocking = team.locked_at === null && (values.locked_at != null || values.closed_at != null)
    if (isLocking) requireLeader(await membershipOf(tx, id, defined(caller.resourceOwnerId)))
  }
  checkDeadline(values, now)
  if (values.project_id !== undefined && values.project_id !== team.project_id) {
    throw unprocessable({ project_id: ['cannot be changed'] })
  }
  if (values.project_session_id !== undefined) {
    await provisionalSession(tx, team.project_id, values.project_session_id)
  }
  const times = timesAfter(team, values)
  if (team.closed_at !== null && times.closed_at === null) await refuseReopening(tx, team)
  await updateRow(tx, 'teams', id, { updated_at: now, ...given(values), ...times })
  const changed = await lockTeam(tx, id)
  const mark = values.final_mark === undefined ? changed.final_mark : values.final_mark
  await writeMark(tx, changed, mark, now)
  if (team.locked_at === null && changed.locked_at !== null) {
    const userIds = (await membersOf(tx, id)).map(({ user_id }) => user_id)
    const others = userIds.filter((userId) => userId !== caller.resourceOwnerId)
    await notify(tx, { kind: 'team_locked', userIds: others, details: { teamId: id, team: changed.name }, now })
  }
  return id
}

/** Deletes a team and restores its members' former results. */
export async function destroyTeam(tx: Handle, { id, caller, ownOnly, now }: ActionInput): Promise<number> {
  const team = await lockTeam(tx, id)
  const members = await membersOf(tx, id)
  if (ownOnly) {
    requireLeader(await membershipOf(tx, id, defined(caller.resourceOwnerId)))
    if (team.closed_at !== null) throw unprocessable({ base: ['a closed team cannot be dissolved'] })
    if (team.locked_at !== null && members.length > 1) {
      throw unprocessable({ base: ['a locked team is dissolved by its last member: the others leave it first'] })
    }
  }
  await tx.kysely.deleteFrom('teams').where('id', '=', id).execute()
  await followTeams(
    tx,
    members.flatMap(({ projects_user_id }) => projects_user_id ?? []),
    now,
  )
  return id
}

/** Fields that members of a team may send. */
export const OWN_CREATION = [
  'project_id',
  'project_session_id',
  'name',
  'repo_url',
  'locked_at',
  'closed_at',
  'teams_users_attributes',
] as const
export const OWN_CHANGE = ['name', 'repo_url', 'locked_at', 'closed_at', 'teams_users_attributes'] as const

/** Replaces sent times of locking and closing by now. */
function stamped<V extends TeamValues>(values: V, now: Date): V {
  const said = (['locked_at', 'closed_at'] as const).filter((name) => values[name] != null)
  return { ...values, ...Object.fromEntries(said.map((name) => [name, now.toISOString()])) }
}

async function requireOpen(tx: Handle, userId: number, values: NewTeamValues, now: Date): Promise<void> {
  const open = await openSessionOf(tx, userId, { projectId: values.project_id }, now)
  if (open === undefined) throw unprocessable({ project_id: ['is not open to you now'] })
  if ((values.project_session_id ?? open) !== open) {
    throw unprocessable({ project_session_id: ['is not the session that is open to you'] })
  }
}

/** Members cannot unlock or reopen a team. */
function refuseUndoing(team: Team, values: TeamValues): void {
  for (const name of ['locked_at', 'closed_at'] as const) {
    if (name in values && team[name] !== null) throw unprocessable({ [name]: ['is set already'] })
  }
  for (const name of ['name', 'repo_url'] as const) {
    if (name in values && team.closed_at !== null)
      throw unprocessable({ [name]: ['cannot be changed: the team is closed'] })
  }
}

function checkDeadline({ deadline_at: deadline }: TeamValues, now: Date): void {
  if (deadline == null) return
  if (String(deadline).slice(0, 10) <= now.toISOString().slice(0, 10)) {
    throw unprocessable({ deadline_at: ['must be later than today'] })
  }
}

/** A closed team is locked, too. */
function timesAfter(team: Team, values: TeamValues) {
  const closed_at = values.closed_at === undefined ? team.closed_at : values.closed_at
  const locked_at = values.locked_at === undefined ? team.locked_at : values.locked_at
  if (values.locked_at === null && closed_at !== null) {
    throw unprocessable({ locked_at: ['cannot be taken back from a closed team'] })
  }
  return { closed_at, locked_at: locked_at ?? closed_at }
}

async function refuseReopening(tx: Handle, team: Team): Promise<void> {
  const booked = await tx.kysely
    .selectFrom('scale_teams')
    .select('id')
    .where('team_id', '=', team.id)
    .executeTakeFirst()
  if (booked) throw unprocessable({ closed_at: ['cannot be taken back: the team has evaluations'] })
}

/** Returns the requested session, which must be one of the project, or any until the members are known. */
async function provisionalSession(tx: Handle, projectId: number, asked: number | undefined): Promise<number> {
  const project = await findRow(tx, 'projects', projectId, ['id'])
  if (!project) throw unprocessable({ project_id: ['must exist'] })
  const sessions = await tx.kysely
    .selectFrom('project_sessions')
    .select('id')
    .where('project_id', '=', projectId)
    .orderBy('id')
    .execute()
  if (sessions.length === 0) throw unprocessable({ project_id: ['has no session'] })
  const session = asked === undefined || asked === null ? sessions[0] : sessions.find(({ id }) => id === asked)
  if (!session) throw unprocessable({ project_session_id: ['must be a session of the project'] })
  return session.id
}

const COLUMNS = [
  'name',
  'created_at',
  'updated_at',
  'repo_url',
  'repo_uuid',
  'deadline_at',
  'terminating_at',
  'project_session_id',
] as const

function given(values: TeamValues): Partial<Team> {
  return Object.fromEntries(
    COLUMNS.filter((name) => values[name] != null || isCleared(name, values)).map((name) => [name, values[name]]),
  )
}

const isCleared = (name: keyof TeamValues, values: TeamValues) =>
  values[name] === null && ['repo_url', 'deadline_at', 'terminating_at'].includes(name)
