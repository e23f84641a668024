import { CALLS } from '../../../webhooks/calls.ts'
import type { BriefDelivery, Listing } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { empty, table } from '../../components.ts'
import { resultOf, stateBadge, stateText } from '../../delivery-state.ts'
import { chosenOf, filterForm } from '../../filter-form.ts'
import { type Html, html, say } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { timeOf } from '../../times.ts'
import { eventText } from './event-texts.ts'

/** What the address asks for; words that mean nothing ask for all. */
export const listingOf = (context: PageContext): Pick<Listing, 'state' | 'event' | 'user'> => ({
  state: chosenOf(context, 'state', STATES),
  event: chosenOf(context, 'event', CALLS),
  user: context.query.text('user').trim() || undefined,
})

/** Chooses which deliveries the page lists. */
export const deliveryFilters = (context: PageContext): Html =>
  filterForm(context, say('Deliveries to show'), [
    { name: 'state', label: say('State'), choices: STATES.map((value) => ({ value, label: stateText(value) })) },
    { name: 'event', label: say('Event'), choices: CALLS.map((value) => ({ value, label: eventText(value) })) },
    { name: 'user', label: say('User, by login or id'), type: 'search' },
  ])

/** Deliveries, each with a link to the whole of it. */
export const deliveryTable = (context: PageContext, deliveries: readonly BriefDelivery[]): Html =>
  deliveries.length === 0
    ? empty(say('No deliveries yet. One is sent whenever an account of its campuses changes.'))
    : table(
        say('Deliveries'),
        [
          ...[say('Event'), say('Recorded'), say('State'), say('Attempts'), say('Last result'), say('Took')],
          say('Next attempt'),
        ],
        deliveries.map((one) => [
          html`<a href="/staff/deliveries/${one.id}">${one.login} ${eventText(one.event)}</a>`,
          timeOf(context, one.created_at),
          stateBadge(one.state),
          one.tries,
          resultOf(one),
          one.milliseconds === null ? '' : say('{milliseconds, number} ms', { milliseconds: one.milliseconds }),
          one.next_try_at && one.state === 'pending' ? timeOf(context, one.next_try_at) : '',
        ]),
      )
