import { apiPreview } from '../api-preview.ts'
import { type Answer, type ApiAnswer, ask } from '../ask.ts'
import { badge, empty, table } from '../components.ts'
import { type Html, html, say } from '../html.ts'
import { type PersonPageContext, page, pageContent } from '../page.ts'
import { pageLinks, partOf } from '../paging.ts'
import { dayOf, timeOf, weekDay } from '../times.ts'
import { idIn, leftOf, pageOf } from './parts.ts'

export type Event = Answer<'/v2/events/{id}'>

export const events = page({
  path: '/events',
  access: 'signed-in',
  async show(context) {
    const part = partOf(context)
    const campus = idIn(context, 'campus')
    const isPast = context.query.text('when') === 'past'
    const query = { 'filter[future]': !isPast, sort: isPast ? '-begin_at' : 'begin_at', ...pageOf(part) } as const
    const listed = await (campus === undefined
      ? ask(context, '/v2/events', { query })
      : ask(context, '/v2/campus/{campus_id}/events', { path: { campus_id: campus }, query }))
    const own = await ask(context, '/v2/users/{user_id}/events_users', {
      path: { user_id: context.person.id },
      query: { per_page: 100 },
    })
    const registered = new Set(own.value.map(({ event_id }) => event_id))
    return pageContent(
      isPast ? say('Past events') : say('Events'),
      html`
      ${await choice(context, campus, isPast)}
      ${listed.value.length === 0 ? nothing(isPast) : html`<div class="card">${eventTable(context, listed, registered)}</div>`}
      ${pageLinks(context, part, leftOf(listed, part))}
      <p><a href="/events?${campus === undefined ? '' : `campus=${campus}&`}${isPast ? '' : 'when=past'}">${isPast ? say('Events to come') : say('Past events')}</a></p>
      ${apiPreview(listed, own)}`,
    )
  },
})

const nothing = (isPast: boolean) =>
  isPast
    ? empty(say('There have been no events yet.'))
    : empty(say('No event is planned. Choose another campus, or see past events.'), {
        path: '/events?when=past',
        label: say('Past events'),
      })

async function choice(context: PersonPageContext, chosen: number | undefined, isPast: boolean): Promise<Html> {
  const { value } = await ask(context, '/v2/campus', { query: { sort: 'name', per_page: 100 } })
  return html`
  <form method="get" action="/events"><div class="field"><label for="campus">${say('Campus')}</label>
    <div class="search"><select id="campus" name="campus"><option value="">${say('All campuses')}</option>
      ${value.map(({ id, name }) => html`<option value="${id}"${id === chosen ? html` selected` : ''}>${name}</option>`)}</select>
      ${isPast ? html`<input type="hidden" name="when" value="past">` : ''}
      <button>${say('Show')}</button></div></div></form>`
}

const eventTable = (
  context: PersonPageContext,
  { value }: ApiAnswer<readonly Event[]>,
  registered: ReadonlySet<number>,
): Html =>
  table(
    say('Events'),
    [say('Event'), say('When'), say('Where'), say('Places')],
    value.map((event) => [
      html`<a href="/events/${event.id}">${event.name}</a> ${badge('quiet', eventKind(event.kind))}
        ${registered.has(event.id) ? badge('good', say('registered')) : ''} ${isFull(event) ? badge('waiting', say('full')) : ''}`,
      html`${weekDay(dayOf(context, new Date(event.begin_at)))} ${timeOf(context, new Date(event.begin_at))}`,
      event.location ?? '',
      placesOf(event),
    ]),
  )

export const isFull = ({ nbr_subscribers: taken, max_people: places }: Event): boolean =>
  places !== null && taken >= places

export const placesOf = ({ nbr_subscribers: taken, max_people: places }: Event): string =>
  places === null
    ? say('{taken, number} registered', { taken })
    : say('{taken, number} of {places, number}', { taken, places })

const WORDS: Readonly<Record<string, () => string>> = {
  pedago: () => say('pedagogy'),
  rush: () => say('rush'),
  piscine: () => say('piscine'),
  partnership: () => say('partnership'),
  meet: () => say('meeting'),
  conference: () => say('conference'),
  meet_up: () => say('meet-up'),
  event: () => say('event'),
  association: () => say('association'),
  speed_working: () => say('speed working'),
  hackathon: () => say('hackathon'),
  workshop: () => say('workshop'),
  challenge: () => say('challenge'),
  atelier: () => say('studio'),
  other: () => say('other'),
  extern: () => say('from outside'),
}

export const eventKind = (kind: string): string => WORDS[kind]?.() ?? kind
