import { message } from '@campus/engine/base/languages/say'
import { either, open, own } from '@campus/engine/rest/declare/access'
import { through } from '@campus/engine/rest/declare/association'
import type { QueryActionDeclaration } from '@campus/engine/rest/declare/declaration'
import { boolean, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { countOf, objectSchema } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { orNull, withMeaning } from '@campus/engine/rest/declare/fields/field'
import { timeKind } from '@campus/engine/rest/declare/fields/kinds'
import { when, whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under, underBoth } from '@campus/engine/rest/declare/resource'
import { column } from '@campus/engine/rest/declare/sql'
import { readExamStatus } from '../domain/events/exams.ts'
import { EXAMS } from '../domain/events/places.ts'
import { announce, change } from '../domain/events/registrables.ts'
import { leave, register, updateRegistration } from '../domain/events/registrations.ts'
import { role } from './access.ts'
import * as joins from './join-tables.ts'
import { activateWaitlist } from './waitlists.ts'

const writer = { access: either(role('Advanced Tutor'), role('Advanced Staff')) }

const optional = { nullable: true } as const
const hiddenOptional = { nullable: true, hidden: true } as const

export const exams = resource({
  name: 'exams',
  summary: 'Some hours at a campus in which registered users work alone and are marked for it.',
  retainedTexts: 'names of exams',
  fields: {
    id: integer(),
    ip_range: described('networks from which it is written, in CIDR notation', text({ max: 1024, ...optional })),
    begin_at: described('when it begins', time({ required: true })),
    end_at: described('when it ends', time({ required: true })),
    location: described('rooms that it is written in', text({ max: 255, ...optional })),
    max_people: described('number of places; null where there is no limit', integer({ min: 0, ...optional })),
    nbr_subscribers: described('number of users who have a place', countOf(joins.examinees)),
    name: text({ max: 255, required: true }),
    ...timestamps(),
    campus: described('campus where it is written; null for no particular one', one('campus', 'embedded')),
    cursus: described('courses that it is for', many('cursus', 'embedded', { through: joins.examsCursus })),
    projects: described(
      'projects that can be done in it',
      many('projects', 'embedded', { through: joins.examsProjects }),
    ),
    campus_id: described(
      'id of the campus where it is written; null for no particular one',
      reference('campus', hiddenOptional),
    ),
    validated_at: described('when staff validated it; null before', time(hiddenOptional)),
    waitlist_id: described(
      'id of the line of those who wait; null where there is none',
      reference('waitlists', hiddenOptional),
    ),
    visible: described('whether it is shown to everybody', boolean({ hidden: true })),
    validator_id: described('id of the user who validated it; null before', reference('users', hiddenOptional)),
    prohibition_of_cancellation: described(
      'hours before the begin from which places are no longer given up, for programs that take them back; null for none',
      integer({ min: 0, ...hiddenOptional }),
    ),
  },
  index: {
    sort: { except: ['waitlist_id'] },
    defaultSort: ['-begin_at', '-id'],
    customFilters: { future: whenFuture('begin_at'), end: whenSet('end_at'), validated: whenSet('validated_at') },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at', 'end_at'], default: 'created_at' },
  // Writers of exams see hidden exams and their registrations.
  concealed: {
    unless: 'visible',
    access: either(role('Basic Staff'), role('Advanced Tutor'), own(through(joins.examsUsers, 'users'))),
  },
  parents: [
    under('campus', { actions: ['index', 'graph'] }),
    underBoth(under('campus'), under('cursus', { through: joins.examsCursus })),
    under('cursus', { through: joins.examsCursus }),
    under('projects', { through: joins.examsProjects }),
    under('users', { through: joins.examinees }),
  ],
  payload: {
    accepts: { except: ['waitlist_id'] },
    extra: { activate_waitlist: activateWaitlist },
    links: {
      cursus_ids: joins.examsCursus,
      project_ids: joins.examsProjects,
    },
    checks: {
      exams_end_at_check: ['end_at', message('must be after {field}', { field: 'begin_at' })],
    },
  },
  dependents: { deleted: ['exams_cursus.exam_id', 'exams_projects.exam_id', 'waitlists.exam_id'] },
  actions: {
    index: open,
    show: open,
    create: { ...writer, perform: announce(EXAMS) },
    update: { ...writer, perform: change(EXAMS) },
    destroy: writer,
  },
})

export const examsUsers = resource({
  name: 'exams_users',
  summary: 'A user is registered for an exam, or waits for a place at it.',
  large: true,
  aggregates: {},
  fields: {
    id: integer(),
    exam_id: reference('exams', { required: true }),
    user_id: reference('users', { required: true }),
    ...timestamps(),
    user: one('users', 'short'),
    exam: one('exams', 'record'),
    waiting: described('whether the user waits for a place', boolean({ hidden: true })),
  },
  index: {
    sort: { except: ['waiting'] },
    customFilters: { waiting: described('that wait for a place', when(column('waiting'))) },
  },
  parents: [under('exams', { actions: ['index', 'show', 'create', 'update', 'destroy'] }), under('users')],
  payload: { accepts: { except: ['waiting'] } },
  lockedAfter: ['exam_id'],
  actions: {
    index: either(role('Basic Staff'), role('Advanced Tutor')),
    show: either(role('Basic Staff'), role('Advanced Tutor')),
    create: { ...writer, perform: register(EXAMS) },
    update: { ...writer, perform: updateRegistration(EXAMS) },
    destroy: { ...writer, perform: leave(EXAMS) },
  },
})

const STATUS = { type: 'string', enum: ['none', 'registered', 'in_progress', 'finished'] }

/** `GET /v2/users/:id/exam` (spec: accounts 16). */
export const examOfUser: QueryActionDeclaration = {
  access: either(role('Basic Tutor'), own('id')),
  description: 'tells whether the user is registered for an exam or sits in one now',
  read: readExamStatus,
  schema: (schemaOf) =>
    objectSchema({
      status: withMeaning(STATUS, 'where the user stands with the exam'),
      exam: withMeaning(orNull(schemaOf('exams', 'record')), 'exam that is meant; null where there is none'),
      begin_at: withMeaning(orNull(timeKind.schema), 'when the exam begins; null without one'),
      end_at: withMeaning(orNull(timeKind.schema), 'when the exam ends; null without one'),
    }),
}
