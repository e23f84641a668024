import type { BriefDelivery, Listing } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { EVENTS } from '../../../webhooks/webhook-events.ts'
import { empty } from '../../empty.ts'
import { type Html, html } from '../../html.ts'
import { table } from '../../table.ts'
import { timeOf } from '../../times.ts'
import type { Visit } from '../../visit.ts'
import { resultOf, stateBadge } from './standing.ts'

/** What the address asks for; words that mean nothing ask for all. */
export function listingOf({ query }: Visit): Pick<Listing, 'state' | 'event' | 'user'> {
  const word = (name: string, known: readonly string[]) => known.find((one) => one === query.text(name))
  return { state: word('state', STATES), event: word('event', EVENTS), user: query.text('user').trim() || undefined }
}

/** Chooses which deliveries the page lists. */
export const filterForm = (visit: Visit): Html => html`
  <form method="get" action="${visit.path.split('?', 1)[0]}" role="search" aria-label="Deliveries">
    <div class="columns">
      ${choices(visit, 'state', 'State', STATES)}
      ${choices(visit, 'event', 'Event', EVENTS)}
      <div class="field"><label for="user">User, by login or id</label>
        <input type="search" id="user" name="user" value="${visit.query.text('user')}"></div>
    </div>
    <div class="actions"><button class="second">Show</button></div>
  </form>`

const choices = ({ query }: Visit, name: string, label: string, words: readonly string[]): Html => html`
  <div class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}"><option value="">all</option>${words.map(
      (word) => html`<option${query.text(name) === word ? html` selected` : ''}>${word}</option>`,
    )}</select></div>`

/** Deliveries, each with a link to the whole of it. */
export const deliveryTable = (visit: Visit, deliveries: readonly BriefDelivery[]): Html =>
  deliveries.length === 0
    ? empty('There are none. One is recorded whenever an account of its campuses changes.')
    : table(
        'Deliveries',
        ['Event', 'Recorded', 'State', 'Attempts', 'Last result', 'Took', 'Next attempt'],
        deliveries.map((one) => [
          html`<a href="/staff/deliveries/${one.id}">${one.login} ${one.event}</a>`,
          timeOf(visit, one.created_at),
          stateBadge(one.state),
          one.tries,
          resultOf(one),
          one.milliseconds === null ? '' : `${one.milliseconds} ms`,
          one.next_try_at && one.state === 'pending' ? timeOf(visit, one.next_try_at) : '',
        ]),
      )
