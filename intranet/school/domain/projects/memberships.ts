import { type ActionInput, chosenId } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, unprocessable } from '@campus/engine/errors'
import { insertRow, updateRow } from '../rows.ts'
import { lockTeam, type Team } from './team-marks.ts'
import { finishTeam, membersOf, placesIn } from './team-members.ts'

/** Maximum number of open invitations of a team. */
const MAX_INVITED = 20

type MembershipValues = {
  readonly team_id: number
  readonly user_id: number
  readonly leader?: boolean
  readonly validated?: boolean
}

type Membership = {
  readonly id: number
  readonly team_id: number
  readonly user_id: number
  readonly leader: boolean
  readonly validated: boolean
}

/** Adds a user to a team. Tutors add members, leaders invite them (spec: projects 12, 19). */
export async function enterTeam(tx: Handle, input: ActionInput<MembershipValues>): Promise<number> {
  const { values, caller, ownOnly, now } = input
  const team = await lockTeam(tx, values.team_id)
  const user_id = values.user_id
  if (ownOnly) {
    const own = await membershipOf(tx, team.id, defined(caller.resourceOwnerId))
    requireLeader(own)
    // The creator of a team may name themselves with the others.
    if (own?.user_id === user_id) return own.id
    await refuseInviting(tx, team, values)
  }
  const leader = !ownOnly && values.leader === true
  // A locked team has no invitations.
  const validated = !ownOnly && (leader || team.locked_at !== null || values.validated !== false)
  return insertRow(tx, 'teams_users', {
    ...chosenId(values),
    team_id: team.id,
    user_id,
    leader,
    validated,
    created_at: now,
    updated_at: now,
  })
}

/** Changes a membership. Invited users may accept, tutors may change everything. */
export async function changeMembership(
  tx: Handle,
  { id, values, caller, ownOnly, now }: ActionInput<Partial<MembershipValues>>,
): Promise<number> {
  const before = await findMembership(tx, id)
  const team = await lockTeam(tx, before.team_id)
  if (ownOnly && before.user_id !== caller.resourceOwnerId) {
    throw accessDenied('You are not authorized to access this page. Only the invited may accept an invitation.')
  }
  if (ownOnly && values.leader !== undefined) {
    throw accessDenied('You are not authorized to access this page. To write leader needs the role Advanced Tutor.')
  }
  if (ownOnly && values.validated === false) {
    throw unprocessable({ validated: ['cannot be taken back; leave the team by deleting the membership'] })
  }
  for (const name of ['team_id', 'user_id'] as const) {
    if (values[name] !== undefined && values[name] !== before[name]) {
      throw unprocessable({ [name]: ['cannot be changed'] })
    }
  }
  if (values.validated === false && team.locked_at !== null) {
    throw unprocessable({ validated: ['must be true: the team is locked'] })
  }
  const { leader, validated } = values
  if (leader === true) await demoteLeader(tx, team.id, now)
  await updateRow(tx, 'teams_users', id, { leader, validated: leader === true ? true : validated, updated_at: now })
  return id
}

/** Deletes a membership or an invitation. Allowed to the user, to the leader until the lock, and to tutors. */
export async function quitTeam(tx: Handle, { id, caller, ownOnly }: ActionInput): Promise<number> {
  const membership = await findMembership(tx, id)
  const team = await lockTeam(tx, membership.team_id)
  if (ownOnly) {
    const isOwn = membership.user_id === caller.resourceOwnerId
    if (!isOwn) requireLeader(await membershipOf(tx, team.id, defined(caller.resourceOwnerId)))
    if (!isOwn && team.locked_at !== null) {
      throw unprocessable({ base: ['the team is locked: only who is in it may leave'] })
    }
    if (team.closed_at !== null) throw unprocessable({ base: ['a closed team can be left through a tutor only'] })
  }
  await tx.kysely.deleteFrom('teams_users').where('id', '=', id).execute()
  if (ownOnly && membership.validated && (await membersOf(tx, team.id)).length === 0) {
    throw unprocessable({ base: ['the last member dissolves the team instead'] })
  }
  return id
}

export async function finishMembership(tx: Handle, input: ActionInput): Promise<number> {
  await finishTeam(tx, { ...input, id: (await findMembership(tx, input.id)).team_id })
  return input.id
}

/** Removes a member (`DELETE /v2/teams_users/:id`). At least one must remain. */
export async function leaveTeam(tx: Handle, input: ActionInput): Promise<number> {
  const { team_id } = await findMembership(tx, input.id)
  await quitTeam(tx, input)
  await finishTeam(tx, { ...input, id: team_id })
  return input.id
}

export function requireLeader(membership: Membership | undefined): void {
  if (membership?.leader) return
  throw accessDenied('You are not authorized to access this page. This is for the leader of the team only.')
}

export async function membershipOf(tx: Handle, teamId: number, userId: number): Promise<Membership | undefined> {
  return memberships(tx).where('team_id', '=', teamId).where('user_id', '=', userId).executeTakeFirst()
}

async function refuseInviting(tx: Handle, team: Team, values: MembershipValues): Promise<void> {
  if (team.locked_at !== null) throw unprocessable({ team_id: ['is locked'] })
  if (values.leader === true) throw unprocessable({ leader: ['is who makes the team'] })
  const members = await membersOf(tx, team.id)
  const places = await placesIn(tx, team, members.length + 1)
  if (members.length >= places)
    throw unprocessable({ user_id: [message('cannot join: a team has at most {most}', { most: places })] })
  const invited = await tx.kysely
    .selectFrom('teams_users')
    .select('id')
    .where('team_id', '=', team.id)
    .where('validated', '=', false)
    .execute()
  if (invited.length >= MAX_INVITED) {
    throw unprocessable({
      user_id: [message('cannot be invited while {count} have not answered', { count: MAX_INVITED })],
    })
  }
}

const demoteLeader = (tx: Handle, teamId: number, now: Date) =>
  tx.kysely
    .updateTable('teams_users')
    .set({ leader: false, updated_at: now })
    .where('team_id', '=', teamId)
    .where('leader', '=', true)
    .execute()

const findMembership = (tx: Handle, id: number): Promise<Membership> =>
  memberships(tx).where('id', '=', id).executeTakeFirstOrThrow()

const memberships = (tx: Handle) =>
  tx.kysely.selectFrom('teams_users').select(['id', 'team_id', 'user_id', 'leader', 'validated'])
