import { message } from '@campus/engine/base/languages/say'
import { all, open, permit } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import {
  boolean,
  choice,
  integer,
  reference,
  text,
  texts,
  time,
  timestamps,
} from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { role, scope } from './access.ts'
import { mark } from './numbers.ts'

const optional = { nullable: true } as const

/** Path from a scale or an upload to the session of its evaluation. */
const OF_EVALUATION = throughRecord('evaluations', 'evaluation_id', 'project_session_id')

export const projectSessions = resource({
  name: 'project_sessions',
  summary: 'How a project goes in one cursus, at one campus, or wherever no other session says otherwise.',
  fields: {
    id: integer(),
    solo: described('whether it is done alone; null where that is open', boolean(optional)),
    begin_at: described('from when users may register; null where they always may', time(optional)),
    end_at: described('until when users may register; null where there is no end', time(optional)),
    estimate_time: described('how long it should take, as text: `7 days`', text({ max: 255, ...optional })),
    difficulty: described('how hard it is; a larger number is harder', integer({ min: 0, ...optional })),
    objectives: described('what is learnt', texts()),
    description: described('what is to be done', text(optional)),
    duration_days: described('days that a team has; null where there is no limit', integer({ min: 0, ...optional })),
    terminating_after: described(
      'days after which a team is ended; null where none is',
      integer({ min: 0, ...optional }),
    ),
    project_id: reference('projects', { required: true }),
    campus_id: described('id of the campus that it is for; null for every campus', reference('campus', optional)),
    cursus_id: described('id of the cursus that it is for; null for every cursus', reference('cursus', optional)),
    ...timestamps(),
    max_people: described('most members of a team; null where there is no limit', integer({ min: 1, ...optional })),
    is_subscriptable: described('whether users may register', boolean()),
    scales: described('scales by which teams are evaluated', many('scales', 'in_session', { through: OF_EVALUATION })),
    uploads: described('programs that mark what teams hand in', many('uploads', 'record', { through: OF_EVALUATION })),
    team_behaviour: described(
      'how teams come to be',
      choice(['user', 'upload', 'by_rule', 'none'], { required: true }),
    ),
    commit: described('commit of the subject that holds', text({ max: 255, ...optional })),
    minimum_mark: described('mark from which a team has validated the project', mark({ hidden: true })),
    project: one('projects', 'in_session'),
    campus: described('campus that it is for; null for every campus', one('campus', 'embedded')),
    cursus: described('cursus that it is for; null for every cursus', one('cursus', 'embedded')),
    evaluations: described('ways in which teams are evaluated', many('evaluations', 'embedded', { order: 'position' })),
    project_sessions_rules: described(
      'rules that hold for users and teams',
      many('project_sessions_rules', 'embedded', { order: 'position' }),
    ),
    divisor: described('number that marks are divided by', integer({ min: 1, hidden: true, ...optional })),
  },
  representations: {
    // Existing clients read the minimum mark here (spec: projects 8).
    in_project: { except: ['project'], and: ['minimum_mark'] },
    created: { except: [], and: ['minimum_mark'] },
  },
  answers: { create: 'created' },
  index: {
    filter: { except: ['objectives', 'description', 'commit', 'minimum_mark', 'divisor'] },
    customFilters: { future: whenFuture('begin_at'), end: whenSet('end_at') },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at', 'end_at'], default: 'created_at' },
  parents: [under('projects', { actions: ['index', 'graph'] })],
  payload: {
    requires: ['minimum_mark'],
    immutableWhile: { project_id: [[{ table: 'teams', by: 'project_session_id' }]] },
    nested: {
      evaluations_attributes: { resource: 'evaluations' },
      project_sessions_rules_attributes: { resource: 'project_sessions_rules' },
      project_sessions_skills_attributes: { resource: 'project_sessions_skills' },
    },
    checks: {
      project_sessions_end_at_check: ['end_at', message('must not be before {field}', { field: 'begin_at' })],
    },
  },
  dependents: {
    deleted: [
      'attachments.project_session_id',
      'evaluations.project_session_id',
      'project_data.project_session_id',
      'project_sessions_rules.project_session_id',
      'project_sessions_skills.project_session_id',
    ],
  },
  actions: permit({ read: open, write: all(scope('projects'), role('Advanced Tutor')) }),
})
