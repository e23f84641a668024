import type { BriefDelivery, Listing } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { EVENTS } from '../../../webhooks/webhook-events.ts'
import { type Html, html } from '../../html.ts'
import { timeOf } from '../../times.ts'
import type { Visit } from '../../visit.ts'
import { resultOf } from './standing.ts'

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
    ? html`<p>There are none.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Deliveries"><table>
      <thead><tr><th scope="col">Event</th><th scope="col">Recorded</th><th scope="col">State</th><th scope="col">Attempts</th>
        <th scope="col">Last result</th><th scope="col">Took</th><th scope="col">Next attempt</th></tr></thead>
      <tbody>${deliveries.map(
        (one) => html`
        <tr><th scope="row"><a href="/staff/deliveries/${one.id}">${one.login} ${one.event}</a></th>
          <td>${timeOf(visit, one.created_at)}</td><td>${one.state}</td><td>${one.tries}</td><td>${resultOf(one)}</td>
          <td>${one.milliseconds === null ? '' : `${one.milliseconds} ms`}</td>
          <td>${one.next_try_at && one.state === 'pending' ? timeOf(visit, one.next_try_at) : ''}</td></tr>`,
      )}</tbody>
    </table></div>`
