import { leaveTeam, settleMembership } from '../domain/team-members.ts'
import { open, role } from '../rest/access.ts'
import { boolean, integer, reference, text, time } from '../rest/fields/columns.ts'
import { url } from '../rest/fields/computed.ts'
import { borrowed, one } from '../rest/fields/embeds.ts'
import { embeddedOnly, resource, under } from '../rest/resource.ts'

const tutor = role('Advanced Tutor')

export const teamsUsers = resource({
  name: 'teams_users',
  singular: 'teams_user',
  summary: 'A user is a member of a team.',
  fields: {
    id: integer(),
    team_id: reference('teams'),
    user_id: reference('users'),
    leader: boolean(),
    occurrence: integer({ min: 0 }),
    validated: boolean(),
    projects_user_id: reference('projects_users', { nullable: true }),
    created_at: time(),
    updated_at: time(),
    user: one('users', 'short', { by: 'user_id' }),
  },
  index: {
    sort: ['id', 'team_id', 'user_id', 'leader', 'occurrence', 'validated', 'created_at', 'updated_at'],
    defaultSort: ['-id'],
  },
  parents: [under('teams', 'team_id'), under('users', 'user_id')],
  payload: {
    accepts: ['team_id', 'user_id', 'leader', 'occurrence', 'validated'],
    requires: ['team_id', 'user_id'],
  },
  actions: {
    index: open,
    show: open,
    create: { access: tutor, finish: settleMembership },
    destroy: { access: tutor, perform: leaveTeam },
  },
})

/** The same rows as a team shows them: people, by their own ids. */
export const teamMembers = resource({
  name: 'team_members',
  singular: 'team_member',
  summary: 'A user as a member of a team.',
  table: 'teams_users',
  fields: {
    id: integer({ column: 'user_id' }),
    login: borrowed('users', 'user_id', text()),
    url: borrowed('users', 'user_id', url('/v2/users/:login')),
    leader: boolean(),
    occurrence: integer({ min: 0 }),
    validated: boolean(),
    projects_user_id: integer(),
  },
  index: { sort: ['id'], defaultSort: ['id'] },
  actions: embeddedOnly,
})
