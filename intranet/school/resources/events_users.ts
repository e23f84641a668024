import { all, either, open, own } from '@campus/engine/rest/declare/access'
import { boolean, integer, reference, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { described } from '@campus/engine/rest/declare/fields/described'
import { one } from '@campus/engine/rest/declare/fields/embeds'
import { when, whenRelated } from '@campus/engine/rest/declare/filters'
import { resource, under } from '@campus/engine/rest/declare/resource'
import { column } from '@campus/engine/rest/declare/sql'
import { EVENTS } from '../domain/events/places.ts'
import { leave, register, updateRegistration } from '../domain/events/registrations.ts'
import { role, scope } from './access.ts'
import * as joins from './join-tables.ts'

const staffOrOwn = either(role('Advanced Staff'), role('Events manager'), all(scope('profile'), own('user_id')))

export const eventsUsers = resource({
  name: 'events_users',
  summary: 'A user is registered for an event, or waits for a place at it.',
  large: true,
  recordsRows: true,
  aggregates: {},
  fields: {
    id: integer(),
    event_id: reference('events', { required: true }),
    user_id: reference('users', { required: true }),
    user: one('users', 'short'),
    event: one('events', 'record'),
    ...timestamps({ hidden: true }),
    waiting: described('whether the user waits for a place', boolean({ hidden: true })),
  },
  index: {
    sort: { except: ['waiting'] },
    defaultSort: ['-created_at', '-id'],
    customFilters: {
      campus_id: described('whose user belongs to one of these campuses', whenRelated(joins.campusOfUser)),
      waiting: described('that wait for a place', when(column('waiting'))),
    },
  },
  parents: [under('users'), under('events')],
  payload: { accepts: { except: ['waiting'] } },
  lockedAfter: ['event_id'],
  actions: {
    index: open,
    show: open,
    create: { access: staffOrOwn, perform: register(EVENTS) },
    update: { access: staffOrOwn, perform: updateRegistration(EVENTS) },
    destroy: { access: staffOrOwn, perform: leave(EVENTS) },
  },
})
