import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { type Association, through } from '@campus/engine/rest/declare/association'
import { becomes } from '@campus/engine/rest/declare/change-condition'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { boolean, integer, reference, text, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { borrowed, one } from '@campus/engine/rest/declare/fields/embeds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { changeMembership, enterTeam, finishMembership, leaveTeam } from '../domain/projects/memberships.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const LEADER = through(joins.teamLeaders, 'users', { by: 'team_id' })
const tutorOr = (association: Association) => either(role('Advanced Tutor'), all(scope('projects'), own(association)))

export const teamsUsers = resource({
  name: 'teams_users',
  summary: 'A user is a member of a team or, until they have validated it, invited to be one.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    team_id: reference('teams', { required: true }),
    user_id: reference('users', { required: true }),
    leader: described('whether the user leads the team', boolean()),
    occurrence: described('how many teams the user had on the project before', integer({ min: 0 })),
    validated: described('whether the user is a member; false while only invited', boolean()),
    projects_user_id: described(
      "id of the user's part in the project; null while only invited",
      reference('projects_users', { nullable: true }),
    ),
    ...timestamps(),
    team: one('teams', 'in_projects_user'),
    user: one('users', 'short'),
  },
  index: { sort: { except: ['projects_user_id'] } },
  parents: [under('teams'), under('users', { me: true })],
  payload: {
    accepts: { except: ['projects_user_id'] },
    checks: { teams_users_leader_check: ['validated', 'must be true for who leads the team'] },
  },
  lockedAfter: ['team_id'],
  events: { validate: becomes('validated', true, 'The user accepts to be in the team.') },
  actions: {
    index: open,
    show: open,
    create: {
      access: tutorOr(LEADER),
      ownMay: ['team_id', 'user_id', 'leader', 'validated', 'occurrence'],
      perform: enterTeam,
      finish: finishMembership,
    },
    update: { access: tutorOr('user_id'), ownMay: ['validated'], perform: changeMembership, finish: finishMembership },
    destroy: { access: tutorOr({ anyOf: ['user_id', LEADER] }), perform: leaveTeam },
  },
})

/** Embedded in a team, with the ids of the users. */
export const teamMembers = resource({
  name: 'team_members',
  summary: 'A user as a member of a team.',
  table: 'teams_users',
  fields: {
    id: described('id of the user', integer({ column: 'user_id' })),
    login: described('login of the user', borrowed('users', 'user_id', text())),
    url: described('address of the user in this API', borrowed('users', 'user_id', url('/v2/users/:login'))),
    leader: described('whether the user leads the team', boolean()),
    occurrence: described('how many teams the user had on the project before', integer({ min: 0 })),
    validated: described('whether the user is a member; false while only invited', boolean()),
    projects_user_id: described(
      "id of the user's part in the project; null while only invited",
      integer({ nullable: true }),
    ),
  },
  actions: embeddedOnly,
})
