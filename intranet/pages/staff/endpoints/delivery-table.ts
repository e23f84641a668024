import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import { CALLS, type Call } from '../../../webhooks/calls.ts'
import type { BriefDelivery, Listing } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import type { DayOfDeliveries } from '../../../webhooks/overview.ts'
import { barChart, sum } from '../../charts.ts'
import { empty, table } from '../../components.ts'
import { resultOf, stateBadge, stateText } from '../../delivery-state.ts'
import { chosenOf, filterForm } from '../../filter-form.ts'
import { type Html, html, say } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { shortDay, timeOf } from '../../times.ts'

/** Ignores invalid words. */
export const listingOf = (context: PageContext): Pick<Listing, 'state' | 'event' | 'user'> => ({
  state: chosenOf(context, 'state', STATES),
  event: chosenOf(context, 'event', CALLS),
  user: context.query.text('user').trim() || undefined,
})

export const deliveryFilters = (context: PageContext): Html =>
  filterForm(context, say('Deliveries to show'), [
    { name: 'state', label: say('State'), choices: STATES.map((value) => ({ value, label: stateText(value) })) },
    { name: 'event', label: say('Event'), choices: CALLS.map((value) => ({ value, label: eventText(value) })) },
    { name: 'user', label: say('User, by login or id'), type: 'search' },
  ])

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

export function daysChart(days: readonly DayOfDeliveries[]): Html {
  const totalOf = (name: 'recorded' | 'waiting' | 'failed') => sum(days.map((day) => day[name]))
  const [recorded, waiting, failed] = [totalOf('recorded'), totalOf('waiting'), totalOf('failed')]
  if (recorded === 0)
    return html`<p class="quiet">${say('No deliveries in the last {days} days.', { days: days.length })}</p>`
  return barChart({
    summary: say(
      '{recorded, plural, one {# delivery} other {# deliveries}} in the last {days} days: {failed, number} failed for good, {waiting, number} waiting',
      { recorded, days: days.length, failed, waiting },
    ),
    by: say('Day'),
    labelEvery: 3,
    keys: [
      { name: 'refused', heading: say('Failed'), text: say('rejected or given up') },
      { name: 'waiting', heading: say('Waiting'), text: say('waiting') },
      { name: 'calls', heading: say('Delivered'), text: say('delivered') },
    ],
    columns: days.map(({ day, recorded, waiting, failed }) => ({
      label: shortDay(day),
      title: day,
      values: [failed, waiting, recorded - waiting - failed],
    })),
  })
}

const EVENT_TEXTS: Readonly<Record<Call, () => string>> = {
  created: () => say('created'),
  updated: () => say('updated'),
  closed: () => say('closed'),
  unclosed: () => say('unclosed'),
}

export const eventText = (event: string): string =>
  isOneOf(namesOf(EVENT_TEXTS), event) ? EVENT_TEXTS[event]() : event
