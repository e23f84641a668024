import { apiPreview } from '../api-preview.ts'
import { type ApiAnswer, ask } from '../ask.ts'
import { empty } from '../empty.ts'
import { figures } from '../figures.ts'
import { card, list } from '../home/own-dashboard.ts'
import { type Html, html } from '../html.ts'
import { page, pageContent } from '../page.ts'
import type { PersonPageContext } from '../page-context.ts'
import { recordId } from '../record-id.ts'
import { REFRESH_SCRIPT } from '../refresh.ts'
import { say } from '../say.ts'
import { timeOf } from '../times.ts'
import { type Coalition, ranksOf } from './coalition-ranks.ts'
import { seatMap } from './seat-map.ts'
import type { Sitting } from './seats.ts'

type Campus = {
  readonly id: number
  readonly name: string
  readonly address: string | null
  readonly zip: string | null
  readonly city: string | null
  readonly country: string | null
  readonly users_count: number
}
type Event = {
  readonly id: number
  readonly name: string
  readonly location: string | null
  readonly begin_at: string
}
type Bloc = { readonly id: number; readonly coalitions: readonly Coalition[] }

/** A page of the API's largest size. */
const SEATS_A_PAGE = 100
const MAX_PAGES = 3
const SHOWN = 6

/** /campuses/:id: who sits where at a campus now, what takes place there, and how its coalitions stand. */
export const campus = page({
  path: '/campuses/:id',
  access: 'signed-in',
  async show(context) {
    const id = recordId(context)
    const found = await ask<Campus>(context, '/v2/campus/:id', { params: { id } })
    const here = await sittingsAt(context, id)
    const events = await ask<readonly Event[]>(context, '/v2/campus/:campus_id/events', {
      params: { campus_id: id },
      query: { 'filter[future]': 'true', sort: 'begin_at', per_page: SHOWN },
    })
    const blocs = await ask<readonly Bloc[]>(context, '/v2/blocs', {
      query: { 'filter[campus_id]': id, per_page: SHOWN },
    })
    const { name, users_count } = found.value
    return pageContent(
      name,
      html`
      <p class="quiet">${addressOf(found.value)}</p>
      <section class="card" aria-label="${say('At a glance')}" data-refresh="figures">${figures([
        { value: say('{count, number}', { count: here.total }), label: say('logged in now') },
        {
          value: say('{count, number}', { count: users_count }),
          label: say('people'),
          path: `/people?campus=${id}`,
        },
        {
          value: say('{count, number}', { count: events.total }),
          label: say('events to come'),
          path: `/events?campus=${id}`,
        },
      ])}</section>
      <h2>${say('Who is here')}</h2>
      <div data-refresh="seats" data-watch="/v2/campus/${id}/locations?filter[active]=true">${seatMap(here.value)}
        ${
          here.total > here.value.length
            ? html`<p class="quiet">${say('The first {shown, number} of {total, number} are shown, by host. Find somebody by login or name:', { shown: here.value.length, total: here.total })} <a href="/people">${say('People')}</a></p>`
            : ''
        }</div>
      <div class="grid large">
        ${card(
          say('Events to come'),
          html`${list(events.value, say('No event is planned.'), (event) => ({
            title: html`<a href="/events/${event.id}">${event.name}</a>`,
            more: html`${timeOf(context, new Date(event.begin_at))}${event.location ? ` · ${event.location}` : ''}`,
          }))}<p><a href="/events?campus=${id}">${say('All events of this campus')}</a></p>`,
        )}
        ${card(say('Coalitions'), ranks(blocs))}
      </div>
      ${apiPreview(found, here, events, blocs)}`,
      { scripts: [REFRESH_SCRIPT] },
    )
  },
})

/** Those who are logged in, by host; of a very large campus the first few hundred. */
async function sittingsAt(context: PersonPageContext, id: number): Promise<ApiAnswer<readonly Sitting[]>> {
  const pageOf = (number: number) =>
    ask<readonly Sitting[]>(context, '/v2/campus/:campus_id/locations', {
      params: { campus_id: id },
      query: { 'filter[active]': 'true', sort: 'host', per_page: SEATS_A_PAGE, page: number },
    })
  const first = await pageOf(1)
  const pages = Math.min(MAX_PAGES, Math.ceil(first.total / SEATS_A_PAGE))
  const others = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, index) => pageOf(index + 2)))
  return { ...first, value: [first, ...others].flatMap(({ value }) => value) }
}

const addressOf = ({ address, zip, city, country }: Campus) =>
  [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')

const ranks = ({ value }: ApiAnswer<readonly Bloc[]>): Html => {
  const ranked = value.filter(({ coalitions }) => coalitions.length > 0)
  return ranked.length === 0
    ? empty(say('There are no coalitions at this campus.'))
    : html`${ranked.map(({ coalitions }) => ranksOf(coalitions))}`
}
