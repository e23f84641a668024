import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { becomes, becomesSet } from '@campus/engine/rest/declare/change-condition'
import { idKind } from '@campus/engine/rest/declare/fields/bounds'
import { boolean, choice, integer, reference, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { idsOf, isSet, objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { borrowed, many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { memberAction } from '@campus/engine/rest/declare/member-action'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { compileResult, resetResult, scaleResult } from '../domain/evaluations/project-results.ts'
import { finishEnrolment, finishResult, leaveProject } from '../domain/projects/enrolments.ts'
import { retryProject } from '../domain/projects/retries.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { mark, markKind } from './numbers.ts'
import { requiredParameter } from './parameters.ts'
import { FORCE } from './retries.ts'

const staff = role('Advanced Staff')
const tutor = role('Advanced Tutor')
const staffOrOwn = either(staff, all(scope('projects'), own('user_id')))
const optional = { nullable: true } as const

const STATUSES = ['creating_group', 'searching_a_group', 'in_progress', 'waiting_for_correction', 'finished', 'parent']

/** Identifies a projects_user without its id. */
const NAMED = {
  user_id: requiredParameter('id of the user', idKind),
  project_id: requiredParameter('id of the project', idKind),
} as const

export const projectsUsers = resource({
  name: 'projects_users',
  summary: 'How far a user is with a project.',
  retainedTexts: 'states',
  large: true,
  recordsRows: true,
  aggregates: {
    groups: [['project_id'], ['status', 'validated']],
    times: ['created_at', 'updated_at', 'retriable_at'],
    timesBy: { column: 'project_id', times: ['created_at'] },
  },
  fields: {
    id: integer(),
    occurrence: described('how many tries came before the current one', integer({ min: 0 })),
    final_mark: described(
      'mark of the current try, 100 for all that was asked; null until it is marked',
      mark(optional),
    ),
    status: described('how far the current try is; `parent` for a project of several parts', choice(STATUSES)),
    'validated?': described(
      'whether the mark is high enough; null until it is marked',
      boolean({ column: 'validated', ...optional }),
    ),
    current_team_id: described('id of the latest team; null before there is one', integer(optional)),
    project: one('projects', 'embedded', { fromMemory: true }),
    cursus_ids: described(
      'ids of the courses that the project belongs to',
      borrowed('projects', 'project_id', idsOf('cursus', { through: joins.projectsCursus }), { fromMemory: true }),
    ),
    marked_at: described('when the current try was marked; null before', time(optional)),
    marked: isSet('marked_at'),
    retriable_at: described('from when the next try may begin; null where no time is set', time(optional)),
    ...timestamps(),
    user: one('users', 'short'),
    teams: described(
      'teams of the user on the project, one for each try',
      many('teams', 'in_projects_user', { through: joins.teamsOfProjectsUsers }),
    ),
    project_id: reference('projects', { hidden: true, required: true }),
    user_id: reference('users', { hidden: true, required: true }),
  },
  webhook: {
    instead: {
      id: integer(),
      project_id: reference('projects'),
      user_id: reference('users'),
      current_team_id: integer(optional),
      occurrence: integer(),
      final_mark: mark(optional),
      status: choice(STATUSES),
      retriable_at: time(optional),
      marked_at: time(optional),
      'validated?': boolean({ column: 'validated', ...optional }),
      created_at: time(),
      updated_at: time(),
    },
  },
  representations: {
    in_experience: ['id', 'project'],
    embedded: { except: ['user', 'teams'] },
  },
  index: {
    sort: { except: ['validated?', 'current_team_id'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      cursus: described('whose project belongs to one of these cursus', whenRelated(joins.cursusOfProject)),
      campus: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      retriable: whenSet('retriable_at'),
      marked: whenSet('marked_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'retriable_at'], default: 'created_at' },
  parents: [
    under('users', { actions: ['index', 'graph'] }),
    under('projects', { actions: ['index', 'graph'] }),
    under('projects', { actions: ['create'], as: 'register' }),
  ],
  payload: { accepts: { except: ['current_team_id'] } },
  lockedAfter: [{ resource: 'teams', table: 'teams_users', foreignKey: 'projects_user_id', otherKey: 'team_id' }],
  dependents: { deleted: ['counted_marks.projects_user_id'] },
  events: {
    mark: becomesSet('marked_at', 'The project has its final mark.'),
    validate: becomes('validated?', true, 'The user has passed the project.'),
  },
  actions: {
    index: open,
    show: open,
    create: { access: staffOrOwn, finish: finishEnrolment },
    update: { access: staff, finish: finishResult },
    destroy: { access: staffOrOwn, perform: leaveProject },
    members: {
      retry: memberAction({
        access: either(tutor, staff, all(scope('projects'), own('user_id'))),
        description: 'begins another try: a new team that the user leads',
        unwrapped: true,
        accepts: { force: FORCE },
        perform: retryProject,
      }),
      compile: {
        access: either(tutor, staff),
        description: 'works out anew what it says, from the latest team and its evaluations',
        perform: compileResult,
      },
      scale: memberAction({
        access: staff,
        description: 'gives the latest try its mark',
        method: 'PATCH',
        unwrapped: true,
        namedBy: ['user_id', 'project_id'],
        accepts: {
          ...NAMED,
          scale: requiredParameter('mark of the try, 100 for all that was asked', markKind),
        },
        respond: scaleResult,
        schema: () => objectSchema({}),
      }),
      reset: memberAction({
        access: staff,
        description: 'lets the user begin as if they had never tried',
        method: 'DELETE',
        unwrapped: true,
        namedBy: ['user_id', 'project_id'],
        accepts: NAMED,
        respond: resetResult,
        schema: () => ({ type: 'array', items: { type: 'string', enum: ['Success'] } }),
      }),
    },
  },
})
