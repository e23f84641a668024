import { apiPreview } from '../api-preview.ts'
import { type Answer, type ApiAnswer, ask } from '../ask.ts'
import { card, empty, figures, list } from '../components.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type PersonPageContext, page, pageContent, pathOf, recordId } from '../page.ts'
import { timeOf } from '../times.ts'
import { type Area, chosenArea, readSeats, type Seats, seatOfPerson } from './read-seats.ts'
import { occupancyOf, seatMap } from './seat-map.ts'
import { ranksOf } from './shares.ts'

const SHOWN = 6

export const campus = page({
  path: '/campuses/:id',
  access: 'signed-in',
  async show(context) {
    const id = recordId(context)
    const found = await ask(context, '/v2/campus/{id}', { path: { id } })
    const here = await readSeats(context, id, (areas) => {
      const shown = chosenArea(areas, context.query.text('floor'), seatOfPerson(areas, context.query.text(FIND)))
      return shown ? [shown] : []
    })
    const sittings = await ask(context, '/v2/campus/{campus_id}/locations', {
      path: { campus_id: id },
      query: { 'filter[active]': true, sort: 'host', per_page: SHOWN },
    })
    const events = await ask(context, '/v2/campus/{campus_id}/events', {
      path: { campus_id: id },
      query: { 'filter[future]': true, sort: 'begin_at', per_page: SHOWN },
    })
    const blocs = await ask(context, '/v2/blocs', {
      query: { 'filter[campus_id]': [id], per_page: SHOWN },
    })
    const { name, users_count } = found.value
    return pageContent(
      name,
      html`
      <p class="quiet">${addressOf(found.value)}</p>
      <section class="card" aria-label="${say('At a glance')}" data-refresh="figures">${figures([
        { value: sittings.total, label: say('logged in now') },
        { value: users_count, label: say('people'), path: `/people?campus=${id}` },
        { value: events.total, label: say('events to come'), path: `/events?campus=${id}` },
      ])}</section>
      <h2>${say('Who is here')}</h2>
      ${finder(context)}
      ${whoIsHere(context, here)}
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
      ${apiPreview(found, sittings, events, blocs)}`,
      { scripts: ['refresh'] },
    )
  },
})

const FIND = 'find'

function whoIsHere(context: PersonPageContext, { areas, shown: [shown] }: Seats): Html {
  const asked = context.query.text(FIND)
  const found = seatOfPerson(areas, asked)
  const path = pathOf(context)
  return html`
  <div data-refresh="seats" data-watch="/v2${path.replace('campuses', 'campus')}/locations?filter[active]=true">
    ${areas.length > 1 ? tabs(path, areas, shown?.area) : ''}
    ${asked.trim() !== '' && !found ? html`<p class="problem" role="alert">${say('Nobody whose login or name begins with “{text}” is logged in here.', { text: asked })}</p>` : ''}
    ${found?.sitting ? html`<p role="status">${sayWith('{person} sits at {host}.', { person: html`<strong>${found.sitting.user.displayname}</strong>`, host: html`<a class="code" href="#seat-${found.host}">${found.host}</a>` })}</p>` : ''}
    <section class="card">${shown ? html`<h3>${shown.area.label}</h3>` : ''}${seatMap(shown, { found, hasLinks: true })}</section>
  </div>`
}

const tabs = (path: string, areas: readonly Area[], shown: Area | undefined): Html => html`
  <nav aria-label="${say('Floors')}"><ul class="chips">${areas.map(
    (area) =>
      html`<li><a href="${path}?floor=${encodeURIComponent(area.name)}"${area === shown ? html` aria-current="true"` : ''}>${area.label} <span class="quiet">${occupancyOf(area)}</span></a></li>`,
  )}</ul></nav>`

const finder = (context: PersonPageContext): Html => html`
  <form class="filters" method="get" action="${pathOf(context)}" role="search" aria-label="${say('Find a seat')}">
    <div class="field"><label for="${FIND}">${say('Where is')}</label>
      <input type="search" id="${FIND}" name="${FIND}" value="${context.query.text(FIND)}" placeholder="${say('login or name')}"></div>
    <button class="second">${say('Find')}</button>
    <a class="button second" href="${pathOf(context)}/wall">${say('Wall mode')}</a>
    ${
      context.person.isStaff
        ? html`<a class="button second" href="/staff/seats/${recordId(context)}">${say('Plans and screens')}</a>
    <a class="button second" href="/staff/campuses/${recordId(context)}">${say('Dashboard')}</a>`
        : ''
    }
  </form>`

const addressOf = ({ address, zip, city, country }: Answer<'/v2/campus/{id}'>) =>
  [address, [zip, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ')

const ranks = ({ value }: ApiAnswer<Answer<'/v2/blocs'>>): Html => {
  const ranked = value.filter(({ coalitions }) => coalitions.length > 0)
  return ranked.length === 0
    ? empty(say('There are no coalitions at this campus.'))
    : html`${ranked.map(({ coalitions }) => ranksOf(coalitions))}`
}
