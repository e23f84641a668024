import { all, either, open, own, person } from '@campus/engine/rest/declare/access'
import { onward, type Through, through, throughRecord } from '@campus/engine/rest/declare/association'
import { integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { guarded } from '@campus/engine/rest/declare/fields/guarded'
import { when, whenFuture, whenRelated, whenSet } from '@campus/engine/rest/declare/filters'
import { always, type Guard } from '@campus/engine/rest/declare/guard'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { bypassGuards, caller, column, now, sql, table } from '@campus/engine/rest/declare/sql'
import { moveSlot, offerTime, withdrawSlot } from '../domain/evaluations/slots.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'
import { BOTH_ARE_SECRET, SCHOOL } from './participants.ts'

const read = either(SCHOOL, all(scope('projects'), person))
const tutorOrOwn = either(role('Advanced Tutor'), all(scope('projects'), own('user_id')))

/** Shows the user of a slot to the school and to the user. */
const OFFERER_IS_SECRET: Guard = { hides: always, except: either(SCHOOL, own('user_id')) }

const ofEvaluation = <K extends string | Through>(otherKey: K) =>
  throughRecord('scale_teams', 'scale_team_id', otherKey)
const byEvaluation = (column: string) => ofEvaluation(throughRecord('teams', 'team_id', column))
const CORRECTED = ofEvaluation(through(joins.teamsUsers, 'users', { by: 'team_id' }))

/**
 * Users of a cursus that contains the project may evaluate it. Bypasses the guard, since the filter discloses only that
 * a user offers time.
 */
const BY_CURSUS = onward(
  through(joins.cursusUsers, 'cursus', { by: 'user_id', current: ['begin_at', 'end_at'], bypassesGuard: true }),
  through(joins.projectsCursus, 'projects', { by: 'cursus_id' }),
)

/** Free, in the future, and offered by another user whose account is open. */
const isAvailable = sql`(
  ${column('scale_team_id')} is null and ${column('begin_at')} > ${now} and ${column('user_id')} is distinct from ${caller.person}
  and exists (select 1 from ${table('users', 'u')} where u.id = ${column('user_id')} and u.closed_at is null))`

export const slots = resource({
  name: 'slots',
  summary: 'A quarter of an hour in which a user offers to evaluate.',
  large: true,
  aggregates: { times: ['created_at', 'begin_at', 'end_at'] },
  fields: {
    id: integer(),
    begin_at: described('when the quarter of an hour begins', time({ required: true })),
    end_at: described('when it ends, 15 minutes later', time({ required: true })),
    scale_team: described(
      'evaluation that is booked; null while the slot is free, `invisible` while hidden',
      guarded(BOTH_ARE_SECRET, one('scale_teams', 'in_slot')),
    ),
    user: described(
      'who offers the time; `invisible` to other users',
      guarded(OFFERER_IS_SECRET, one('users', 'reference')),
    ),
    user_id: described(
      'id of the user who offers the time',
      guarded(OFFERER_IS_SECRET, reference('users', { hidden: true, required: true })),
    ),
    scale_team_id: described(
      'id of the evaluation that is booked; null while the slot is free',
      guarded(BOTH_ARE_SECRET, reference('scale_teams', { nullable: true, hidden: true })),
    ),
    created_at: time({ hidden: true }),
    // The time of a change reveals a booking.
    updated_at: guarded(BOTH_ARE_SECRET, time({ hidden: true })),
  },
  index: {
    filter: { except: ['user_id', 'scale_team_id', 'updated_at'] },
    range: { except: ['user_id', 'scale_team_id'] },
    customFilters: {
      // The primary campus does not identify the user, and slots elsewhere cannot be booked.
      campus_id: described(
        'whose user belongs to one of these campuses',
        whenRelated({ ...joins.campusOfUser, bypassesGuard: true }),
      ),
      future: whenFuture('begin_at'),
      end: whenSet('end_at'),
      available: described(
        'that are free, to come and offered by another user whose account is open',
        when(bypassGuards(isAvailable)),
      ),
    },
  },
  graph: { fields: ['created_at', 'begin_at', 'end_at'], default: 'created_at' },
  parents: [
    under('users', { by: { anyOf: ['user_id', CORRECTED] }, actions: ['index', 'graph'] }),
    under('users', { me: 'only' }),
    under('projects', {
      by: byEvaluation('project_id'),
      actions: ['index', 'graph'],
      forPersons: { association: BY_CURSUS, only: ['available', 'true'] },
    }),
  ],
  actions: {
    index: read,
    show: read,
    graph: open,
    create: { access: tutorOrOwn, performSeveral: offerTime },
    update: { access: tutorOrOwn, perform: moveSlot },
    destroy: { access: tutorOrOwn, perform: withdrawSlot },
  },
})
