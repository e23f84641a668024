import { bookEvaluation, changeEvaluation, destroyEvaluation, settleEvaluation } from '../domain/evaluations.ts'
import { all, either, open, own, role, scope } from '../rest/access.ts'
import { integer, reference, text, time } from '../rest/fields/columns.ts'
import { hiddenUntil, many, one } from '../rest/fields/embeds.ts'
import { whenFuture, whenRelated, whenSet } from '../rest/filters.ts'
import { embeddedOnly, resource, through, under } from '../rest/resource.ts'

const CORRECTED = through('teams_users', 'team_id', 'user_id', 'team_id', 'validated')
const CONCERNED = { anyOf: ['user_id', CORRECTED] } as const
const tutorOrConcerned = either(role('Advanced Tutor'), all(scope('projects'), own(CONCERNED)))
const optional = { nullable: true } as const
const kept = { nullable: true, hidden: true } as const

/** What a team carries of its evaluations (wire-facts A1). */
const IN_TEAM = [
  ...(['id', 'scale_id', 'comment', 'created_at', 'updated_at', 'feedback', 'final_mark', 'flag', 'begin_at'] as const),
  ...(['correcteds', 'corrector', 'truant', 'filled_at', 'questions_with_answers'] as const),
] as const

const SORT = [
  ...(['id', 'user_id', 'begin_at', 'created_at', 'updated_at', 'scale_id', 'team_id', 'comment'] as const),
  ...(['old_feedback', 'feedback_rating', 'final_mark', 'truant_id', 'flag_id', 'token', 'ip'] as const),
  ...(['internship_id', 'filled_at'] as const),
] as const

export const scaleTeams = resource({
  name: 'scale_teams',
  singular: 'scale_team',
  summary: 'A defence of a team on a project, involving a corrector.',
  fields: {
    id: integer(),
    scale_id: reference('scales'),
    comment: text({ max: 2048, ...optional }),
    created_at: time(),
    updated_at: time(),
    feedback: text({ max: 2048, ...optional }),
    final_mark: integer(optional),
    flag: one('flags', 'record', { by: 'flag_id' }),
    begin_at: time(optional),
    correcteds: hiddenUntil(
      'begin_at',
      many('users', 'short', {
        ...{ ours: 'team_id', key: 'team_id' },
        through: { table: 'teams_users', theirs: 'user_id', only: 'validated' },
      }),
    ),
    corrector: hiddenUntil('begin_at', one('users', 'short', { by: 'user_id', nullable: true, absent: '{}' })),
    truant: one('users', 'short', { by: 'truant_id', nullable: true, absent: '{}' }),
    filled_at: time(optional),
    questions_with_answers: many('answers', 'record', { ours: 'scale_team_id', order: 'question_id' }),
    scale: one('scales', 'embedded', { by: 'scale_id' }),
    team: one('teams', 'in_scale_team', { by: 'team_id' }),
    feedbacks: many('feedbacks', 'record', { ours: 'feedbackable_id', only: ['feedbackable_type', 'ScaleTeam'] }),
    team_id: reference('teams', { hidden: true }),
    user_id: reference('users', kept),
    flag_id: reference('flags', { hidden: true }),
    truant_id: reference('users', kept),
    old_feedback: text({ column: 'feedback', ...kept }),
    feedback_rating: integer(kept),
    token: text(kept),
    ip: text(kept),
    internship_id: integer(kept),
  },
  forms: { in_team: IN_TEAM },
  index: {
    sort: SORT,
    defaultSort: ['-begin_at', '-id'],
    scopes: {
      campus_id: whenRelated({ table: 'campus_users', ours: 'user_id', key: 'user_id', theirs: 'campus_id' }),
      cursus_id: whenRelated({
        ...{ table: 'projects_cursus', ours: 'project_id', key: 'team_id', theirs: 'cursus_id' },
        by: { table: 'teams', ours: 'id', theirs: 'project_id' },
      }),
      future: whenFuture('begin_at'),
      filled: whenSet('filled_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at'], default: 'created_at' },
  parents: [
    under('projects', through('teams', 'id', 'project_id', 'team_id'), { actions: ['index', 'graph'] }),
    under('project_sessions', through('teams', 'id', 'project_session_id', 'team_id')),
    under('users', CONCERNED, { actions: ['index', 'graph'], me: true }),
    under('users', 'user_id', { suffix: 'as_corrector', me: true }),
    under('users', CORRECTED, { suffix: 'as_corrected', me: true }),
  ],
  payload: {
    accepts: [
      ...(['team_id', 'scale_id', 'user_id', 'begin_at', 'comment', 'flag_id', 'final_mark', 'truant_id'] as const),
      ...(['feedback', 'feedback_rating'] as const),
    ],
    requires: ['team_id'],
    nested: { answers_attributes: { resource: 'answers', by: 'scale_team_id' } },
    checks: {
      scale_teams_final_mark_check: ['final_mark', 'must be from 0 to 125'],
      scale_teams_feedback_rating_check: ['feedback_rating', 'must be from 0 to 5'],
    },
  },
  dependents: { deleted: ['answers.scale_team_id'] },
  actions: {
    index: open,
    show: open,
    create: { access: tutorOrConcerned, perform: bookEvaluation, finish: settleEvaluation },
    update: { access: tutorOrConcerned, perform: changeEvaluation, finish: settleEvaluation },
    destroy: { access: tutorOrConcerned, perform: destroyEvaluation },
    bulk: { name: 'multiple_create', access: all(role('Advanced Tutor'), scope('projects')) },
  },
})

export const answers = resource({
  name: 'answers',
  singular: 'answer',
  summary: 'What the corrector answered to one question of the scale.',
  fields: {
    id: integer(),
    question_id: reference('questions'),
    value: integer(optional),
    question: one('questions', 'embedded', { by: 'question_id' }),
    scale_team_id: reference('scale_teams', { hidden: true }),
    created_at: time({ hidden: true }),
    updated_at: time({ hidden: true }),
  },
  index: { sort: ['id'], defaultSort: ['id'] },
  payload: { accepts: ['question_id', 'scale_team_id', 'value'], requires: ['question_id', 'scale_team_id'] },
  actions: embeddedOnly,
})
