import { message } from '@campus/engine/base/languages/say'
import { either, open } from '@campus/engine/rest/declare/access'
import { boolean, choice, integer, reference, text, time, timestamps } from '@campus/engine/rest/declare/fields/columns'
import { countOf, idsOf } from '@campus/engine/rest/declare/fields/computed'
import { described } from '@campus/engine/rest/declare/fields/described'
import { many, one } from '@campus/engine/rest/declare/fields/embeds'
import { whenFuture, whenSet } from '@campus/engine/rest/declare/filters'
import { resource, under, underBoth } from '@campus/engine/rest/declare/resource'
import { EVENTS } from '../domain/events/places.ts'
import { announce, change } from '../domain/events/registrables.ts'
import { role } from './access.ts'
import * as joins from './join-tables.ts'
import { activateWaitlist } from './waitlists.ts'

const staff = either(role('Advanced Staff'), role('Events manager'))

const KINDS = [
  ...['pedago', 'rush', 'piscine', 'partnership', 'meet', 'conference', 'meet_up', 'event', 'association'],
  ...['speed_working', 'hackathon', 'workshop', 'challenge', 'atelier', 'other', 'extern'],
]

const optional = { nullable: true } as const
const ofCampus = { through: joins.eventsCampus }
const ofCursus = { through: joins.eventsCursus }

export const events = resource({
  name: 'events',
  summary: 'Something that takes place at a campus, and that users may register for.',
  recordsRows: true,
  fields: {
    id: integer(),
    name: text({ max: 255, required: true }),
    description: described('what it is about, in Markdown', text({ required: true })),
    location: described('where it takes place', text({ max: 255, ...optional })),
    kind: described('what sort of event it is', choice(KINDS, { required: true })),
    max_people: described('number of places; null where there is no limit', integer({ min: 0, ...optional })),
    nbr_subscribers: described('number of users who have a place', countOf(joins.attendees)),
    begin_at: described('when it begins', time({ required: true })),
    end_at: described('when it ends', time({ required: true })),
    campus_ids: described('ids of the campuses that it is for', idsOf('campus', ofCampus)),
    cursus_ids: described('ids of the cursus that it is for', idsOf('cursus', ofCursus)),
    themes: described('what it is about', many('themes', 'record', { through: joins.eventsThemes })),
    waitlist: described('line of those who wait for a place; null where there is none', one('waitlists', 'record')),
    prohibition_of_cancellation: described(
      'hours before the begin from which nobody may cancel; null where they always may',
      integer({ min: 0, unit: 'hours', ...optional }),
    ),
    ...timestamps(),
    difficulty: described(
      'how hard it is; a larger number is harder',
      integer({ min: 0, nullable: true, hidden: true }),
    ),
    remote: described('whether users take part from afar', boolean({ hidden: true })),
    waitlist_id: described(
      'id of the line of those who wait; null where there is none',
      reference('waitlists', { nullable: true, hidden: true }),
    ),
  },
  index: {
    sort: { except: ['waitlist_id'] },
    defaultSort: ['-begin_at', '-id'],
    customFilters: { future: whenFuture('begin_at'), end: whenSet('end_at') },
  },
  graph: { fields: ['created_at', 'updated_at', 'begin_at', 'end_at'], default: 'created_at' },
  parents: [
    under('cursus', ofCursus),
    under('campus', { ...ofCampus, actions: ['index', 'graph'] }),
    underBoth(under('campus', ofCampus), under('cursus', ofCursus), { actions: ['index', 'graph'] }),
    under('users', { through: joins.attendees }),
  ],
  payload: {
    accepts: { except: ['waitlist_id'] },
    extra: { activate_waitlist: activateWaitlist },
    nested: { events_themes_attributes: { resource: 'events_themes' } },
    links: {
      cursus_ids: joins.eventsCursus,
      campus_ids: joins.eventsCampus,
    },
    checks: {
      events_end_at_check: ['end_at', message('must not be before {field}', { field: 'begin_at' })],
    },
  },
  dependents: {
    deleted: ['events_campus.event_id', 'events_cursus.event_id', 'events_themes.event_id', 'waitlists.event_id'],
  },
  actions: {
    index: open,
    show: open,
    create: { access: staff, perform: announce(EVENTS) },
    update: { access: staff, perform: change(EVENTS) },
    destroy: { access: staff },
  },
})
