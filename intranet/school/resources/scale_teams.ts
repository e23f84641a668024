import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { throughRecord } from '@campus/engine/rest/declare/association'
import { becomesSet } from '@campus/engine/rest/declare/change-condition'
import { embeddedOnly } from '@campus/engine/rest/declare/declaration'
import { integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one, oneBeyond } from '@campus/engine/rest/declare/fields/embeds'
import { guarded, leftOut, nullWhereHidden } from '@campus/engine/rest/declare/fields/guarded'
import { whenFuture, whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import {
  bookEvaluation,
  changeEvaluation,
  destroyEvaluation,
  finishEvaluation,
  lockForBookings,
} from '../domain/evaluations/evaluations.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { mark } from './numbers.ts'
import { CORRECTED_ARE_SECRET, CORRECTOR_IS_SECRET } from './participants.ts'

const CONCERNED = { anyOf: ['user_id', joins.membersOfTeam] } as const
const tutorOrConcerned = either(role('Advanced Tutor'), all(scope('projects'), own(CONCERNED)))
/** Session and project of the team. The record shows the scale, which has the same ones, so no guard applies. */
const byScale = (column: string) => ({ ...throughRecord('teams', 'team_id', column), bypassesGuard: true })

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const scaleTeams = resource({
  name: 'scale_teams',
  summary: 'A defence of a team on a project, involving a corrector.',
  large: true,
  recordsRows: true,
  aggregates: { groups: [['flag_id', 'filled_at?']], times: ['created_at', 'updated_at', 'begin_at'] },
  fields: {
    id: integer(),
    scale_id: reference('scales'),
    comment: described('what the corrector writes about the work', text({ max: 2048, ...optional })),
    ...timestamps(),
    feedback: described(
      'what the team writes about the evaluation; the comment of the first feedback on it, where there is one',
      text({ max: 2048, ...optional }),
    ),
    feedback_rating: described(
      'stars that the team gives the evaluation, from 0 to 5; those of the first feedback on it, where there is one',
      integer({ min: 0, max: 5, ...optional }),
    ),
    final_mark: described('mark that the corrector gave; null until it is filled', mark(optional)),
    flag: described('verdict of the corrector', one('flags', 'record')),
    begin_at: described('when it takes place; null where no time is set', time(optional)),
    correcteds: described(
      'members of the team; `invisible` until shortly before the begin',
      guarded(
        CORRECTED_ARE_SECRET,
        many('users', 'short', { through: joins.teamMembers, by: 'team_id', deferred: true }),
      ),
    ),
    corrector: described(
      'who evaluates; `{}` for nobody, `invisible` until shortly before the begin',
      guarded(CORRECTOR_IS_SECRET, one('users', 'short', { by: 'user_id', absent: '{}', deferred: true })),
    ),
    truant: described(
      'who did not come; `{}` where nobody was absent',
      one('users', 'short', { absent: '{}', deferred: true }),
    ),
    filled_at: described('when it was filled in; null before', time(optional)),
    questions_with_answers: described(
      'what the corrector answered to each question',
      many('answers', 'record', { order: 'question_id' }),
    ),
    scale: described('what the corrector goes through', one('scales', 'embedded', { fromMemory: true })),
    // Existing responses omit it, too, while the corrected are hidden (spec: evaluations 9).
    team: described(
      'team that is evaluated; left out while it is hidden',
      leftOut(CORRECTED_ARE_SECRET, one('teams', 'in_scale_team')),
    ),
    feedbacks: described('what users thought of the evaluation', many('feedbacks', 'record')),
    team_id: described(
      'id of the team that is evaluated',
      guarded(CORRECTED_ARE_SECRET, reference('teams', { hidden: true, required: true })),
    ),
    user_id: described(
      'id of the user who evaluates; null for nobody',
      guarded(CORRECTOR_IS_SECRET, reference('users', hiddenOptional)),
    ),
    flag_id: described('id of the verdict of the corrector', reference('flags', { hidden: true })),
    truant_id: described(
      'id of the user who did not come; null where nobody was absent',
      reference('users', hiddenOptional),
    ),
    old_feedback: described('`feedback`, under its former name', text({ column: 'feedback', ...hiddenOptional })),
    token: described('word of old clients; never filled', text(hiddenOptional)),
    ip: described('address of the corrector; never filled', text(hiddenOptional)),
    internship_id: described('id of the internship that it is about; never filled', integer(hiddenOptional)),
  },
  webhook: {
    instead: {
      id: integer(),
      team: nullWhereHidden(CORRECTED_ARE_SECRET, one('teams', 'in_webhook')),
      truant: one('users', 'by_login', { absent: '{}' }),
      flag: one('flags', 'in_webhook'),
      scale: one('scales', 'in_webhook'),
      begin_at: time(optional),
      comment: text(optional),
      old_feedback: text({ column: 'feedback', nullable: true }),
      feedback_rating: integer(optional),
      final_mark: mark(optional),
      filled_at: time(optional),
      created_at: time(),
      updated_at: time(),
      project: oneBeyond('projects', 'minimal', { by: 'team_id', table: 'teams', onBy: 'project_id' }),
      // Programs use this name for the corrector.
      user: nullWhereHidden(CORRECTOR_IS_SECRET, one('users', 'in_webhook')),
    },
  },
  representations: {
    /** Fields of an evaluation that its team embeds (spec: answers 18). */
    in_team: { except: ['scale', 'team', 'feedbacks'] },
    in_slot: ['id', 'scale_id', 'begin_at', 'correcteds', 'corrector'],
  },
  index: {
    sort: { except: ['feedback'] },
    defaultSort: ['-begin_at', '-id'],
    customFilters: {
      campus_id: described('whose corrector belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      cursus_id: described(
        'whose project belongs to one of these cursus',
        whenRelated({ ...throughRecord('teams', 'team_id', joins.cursusOfProject), bypassesGuard: true }),
      ),
      future: whenFuture('begin_at'),
      filled: whenSet('filled_at'),
    },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at'], default: 'created_at' },
  parents: [
    under('projects', { by: byScale('project_id'), actions: ['index', 'graph'] }),
    under('project_sessions', { by: byScale('project_session_id') }),
    under('users', { by: CONCERNED, actions: ['index', 'graph'], me: true }),
    under('users', { by: 'user_id', suffix: 'as_corrector', me: true }),
    under('users', { by: joins.membersOfTeam, suffix: 'as_corrected', me: true }),
  ],
  payload: {
    accepts: { except: ['filled_at', 'old_feedback', 'token', 'ip', 'internship_id'] },
    nested: { answers_attributes: { resource: 'answers' } },
  },
  dependents: {
    deleted: ['answers.scale_team_id'],
    released: ['slots.scale_team_id', 'correction_point_historics.scale_team_id'],
  },
  lockedAfter: ['team_id'],
  events: {
    book: becomesSet('user_id', 'A corrector has the evaluation.'),
    fill: becomesSet('filled_at', 'The evaluation is filled in.'),
  },
  actions: {
    index: open,
    show: open,
    create: { access: tutorOrConcerned, perform: bookEvaluation, finish: finishEvaluation },
    update: { access: tutorOrConcerned, perform: changeEvaluation, finish: finishEvaluation },
    destroy: { access: tutorOrConcerned, perform: destroyEvaluation },
    bulk: {
      name: 'multiple_create',
      access: all(role('Advanced Tutor'), scope('projects')),
      prepare: lockForBookings,
    },
  },
})

export const answers = resource({
  name: 'answers',
  summary: 'What the corrector answered to one question of the scale.',
  fields: {
    id: integer(),
    question_id: reference('questions', { required: true }),
    value: described(
      'points for the question; null where it was not answered',
      integer({ min: 0, max: 125, ...optional }),
    ),
    question: one('questions', 'embedded', { fromMemory: true }),
    scale_team_id: reference('scale_teams', { hidden: true, required: true }),
    ...timestamps({ hidden: true }),
  },
  payload: {},
  actions: embeddedOnly,
})
