import { either } from '@campus/engine/rest/declare/access'
import { choice, integer, reference, time } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { booleanKind } from '@campus/engine/rest/declare/fields/kinds'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { removeWaitlist } from '../domain/events/waitlists.ts'
import { role } from './access.ts'
import { optionalParameter } from './parameters.ts'

const staff = either(role('Advanced Staff'), role('Events manager'))

const hiddenOptional = { nullable: true, hidden: true } as const

export const activateWaitlist = optionalParameter('whether users may wait for a place once it is full', booleanKind)

export const waitlists = resource({
  name: 'waitlists',
  summary: 'A full event or exam lets people wait for a place.',
  fields: {
    created_at: time(),
    id: integer(),
    updated_at: time(),
    waitlistable_id: {
      ...described('id of the event or exam that it belongs to', integer()),
      readColumns: (id, { waitlistable_type: type }) => (type === 'Exam' ? { exam_id: id } : { event_id: id }),
    },
    waitlistable_type: described('what it belongs to', choice(['Event', 'Exam'])),
    event_id: reference('events', hiddenOptional),
    exam_id: reference('exams', hiddenOptional),
  },
  representations: { listed: ['id', 'waitlistable_id', 'waitlistable_type', 'created_at'] },
  answers: { index: 'listed', show: 'listed' },
  index: {
    sort: { except: ['event_id', 'exam_id'] },
    defaultSort: ['created_at', '-id'],
  },
  parents: [
    under('events', { as: 'waitlist', actions: ['only'] }),
    under('exams', { as: 'waitlist', actions: ['only'] }),
  ],
  dependents: { released: ['events.waitlist_id', 'exams.waitlist_id'] },
  lockedAfter: ['event_id', 'exam_id'],
  actions: { index: staff, show: staff, destroy: { access: staff, perform: removeWaitlist } },
})
