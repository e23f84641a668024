import { message } from '@campus/engine/base/languages/say'
import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { onward, through } from '@campus/engine/rest/declare/association'
import { becomes, becomesSet } from '@campus/engine/rest/declare/change-condition'
import { boolean, choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { isSet, url } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under, underBoth } from '@campus/engine/rest/declare/resource'
import { changeMembership, enterTeam, quitTeam } from '../domain/projects/memberships.ts'
import { finishTeam } from '../domain/projects/team-members.ts'
import { resetTeamUploads } from '../domain/projects/team-uploads.ts'
import {
  createTeam,
  destroyTeam,
  finishNewTeam,
  OWN_CHANGE,
  OWN_CREATION,
  updateTeam,
} from '../domain/projects/teams.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { mark } from './numbers.ts'

const MEMBER = through(joins.teamMembers, 'users')
const tutorOrMember = either(role('Advanced Tutor'), all(scope('projects'), own(MEMBER)))
const optional = { nullable: true } as const

const STATUSES = ['creating_group', 'searching_a_group', 'in_progress', 'waiting_for_correction', 'finished', 'parent']

export const teams = resource({
  name: 'teams',
  summary: 'One or more users who finish a project together.',
  large: true,
  recordsRows: true,
  aggregates: {
    groups: [
      ['project_id'],
      ['status', 'validated', 'locked_at?', 'closed_at?', 'deadline_at?', 'terminating_at?', 'final_mark?'],
    ],
    times: ['created_at', 'updated_at', 'locked_at', 'closed_at', 'deadline_at', 'terminating_at'],
    timesBy: { column: 'project_id', times: ['created_at'] },
  },
  fields: {
    id: integer(),
    name: text({ max: 255 }),
    url: url('/v2/teams/:id'),
    final_mark: described('mark of the team, 100 for all that was asked; null until it is marked', mark(optional)),
    project_id: reference('projects', { required: true }),
    ...timestamps(),
    status: described('how far the team is', choice(STATUSES)),
    terminating_at: described('when the team is to be ended; null where no time is set', time(optional)),
    users: described('members, and those who are invited', many('team_members', 'record')),
    'locked?': isSet('locked_at'),
    'validated?': described(
      'whether the mark is high enough; null until it is marked',
      boolean({ column: 'validated', ...optional }),
    ),
    'closed?': isSet('closed_at'),
    repo_url: described('address of its Git repository', text({ max: 2048, ...optional })),
    repo_uuid: described('name of its repository that nobody else has', text({ max: 255 })),
    locked_at: described('when its members were settled; null while they may change', time(optional)),
    closed_at: described('when its work was handed in; null before', time(optional)),
    project_session_id: reference('project_sessions'),
    project_gitlab_path: described('path of its repository on GitLab', text(optional)),
    scale_teams: described('evaluations of the team', many('scale_teams', 'in_team')),
    teams_uploads: described('marks that programs gave the team', many('teams_uploads', 'embedded')),
    deadline_at: described(
      'until when the work is to be handed in; null where no time is set',
      time({ hidden: true, ...optional }),
    ),
  },
  webhook: {
    embedded: {
      id: integer(),
      project_id: reference('projects'),
      name: text(),
      created_at: time(),
      updated_at: time(),
      locked_at: time(optional),
      closed_at: time(optional),
      final_mark: mark(optional),
      repo_url: text(optional),
      repo_uuid: text(),
      deadline_at: time(optional),
      terminating_at: time(optional),
      project_session_id: reference('project_sessions'),
      status: choice(STATUSES),
    },
  },
  representations: {
    /** Fields of a team that its members' projects_users embed (spec: projects 27). */
    in_projects_user: { except: ['scale_teams', 'teams_uploads'] },
    in_scale_team: { except: ['scale_teams'] },
  },
  index: {
    sort: { except: ['validated?', 'project_gitlab_path'] },
    defaultSort: ['id'],
    customFilters: {
      cursus: described('whose project belongs to one of these cursus', whenRelated(joins.cursusOfProject)),
      active_cursus: described(
        'with a member who takes part in one of these cursus now',
        whenRelated(
          onward(MEMBER, through(joins.cursusUsers, 'cursus', { by: 'user_id', current: ['begin_at', 'end_at'] })),
        ),
      ),
      campus: described(
        'with a member who belongs to one of these campuses',
        whenRelated(onward(MEMBER, joins.campusOfUser)),
      ),
      primary_campus: described(
        'with a member whose primary campus is one of these',
        whenRelated(onward(MEMBER, joins.primaryCampusOfUser)),
      ),
      locked: whenSet('locked_at'),
      closed: whenSet('closed_at'),
      deadline: whenSet('deadline_at'),
      terminating: whenSet('terminating_at'),
      with_mark: whenSet('final_mark'),
    },
  },
  graph: {
    fields: ['created_at', 'updated_at', 'locked_at', 'closed_at', 'deadline_at', 'terminating_at'],
    default: 'created_at',
  },
  parents: [
    under('cursus', { by: joins.cursusOfProject, actions: ['index', 'graph'] }),
    under('users', { through: joins.teamMembers, actions: ['index', 'graph'], me: true }),
    underBoth(under('users', { through: joins.teamMembers }), under('projects'), { actions: ['index', 'graph'] }),
    under('projects', { actions: ['index', 'graph'] }),
    under('project_sessions'),
  ],
  payload: {
    accepts: { except: ['status', 'validated?', 'project_gitlab_path'], and: ['created_at', 'updated_at'] },
    nested: {
      teams_users_attributes: {
        resource: 'teams_users',
        actions: { create: enterTeam, update: changeMembership, destroy: quitTeam },
      },
    },
    checks: {
      teams_closed_at_check: ['closed_at', message('must not be before {field}', { field: 'locked_at' })],
    },
  },
  dependents: { deleted: ['former_members.team_id', 'teams_uploads.team_id', 'teams_users.team_id'] },
  events: {
    lock: becomesSet('locked_at', 'The team is complete, and works.'),
    close: becomesSet('closed_at', 'The team has handed its work in.'),
    validate: becomes('validated?', true, 'The team has passed.'),
  },
  actions: {
    index: open,
    show: open,
    create: { access: tutorOrMember, ownMay: OWN_CREATION, perform: createTeam, finish: finishNewTeam },
    update: { access: tutorOrMember, ownMay: OWN_CHANGE, perform: updateTeam, finish: finishTeam },
    destroy: { access: tutorOrMember, perform: destroyTeam },
    members: {
      reset_team_uploads: {
        access: tutorOrMember,
        description: 'takes back what programs say of the work',
        method: 'POST',
        perform: resetTeamUploads,
      },
    },
  },
})
