import { badge } from '../badge.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { type Html, html } from '../html.ts'
import { formPage, redirectTo, view } from '../page.ts'
import { recordId } from '../record-id.ts'
import { say } from '../say.ts'
import { dayOf, hourOf, timeOf } from '../times.ts'
import type { PersonsVisit } from '../visit.ts'
import { writtenText } from '../written-text.ts'
import { asTheApiSays } from './as-the-api-says.ts'
import { ask, send } from './ask.ts'
import { eventKind } from './event-kind.ts'
import { type Event, placesOf } from './events.ts'
import { pathOfPerson } from './parts.ts'

type Registration = { readonly id: number }
type Attendee = { readonly login: string; readonly displayname: string }

const ATTENDEES_SHOWN = 60

/** /events/:id: one event, and registering for it. */
export const event = formPage({
  path: '/events/:id',
  access: 'signed-in',
  async show(visit, state) {
    const id = recordId(visit)
    const found = await ask<Event>(visit, '/v2/events/:id', { params: { id } })
    const registration = await registrationOf(visit, id)
    const isWaiting = registration.value.length > 0 && (await waits(visit, id))
    const attendees = await ask<readonly Attendee[]>(visit, '/v2/events/:event_id/users', {
      params: { event_id: id },
      query: { sort: 'login', per_page: ATTENDEES_SHOWN },
    })
    const one = found.value
    return view(
      one.name,
      html`
      ${errorSummary(state.errors, { event_id: say('This event'), user_id: say('You') })}
      <section class="card">
        <dl class="facts">
          <dt>${say('When')}</dt><dd>${spanOf(visit, one)}</dd>
          ${one.location ? html`<dt>${say('Where')}</dt><dd>${one.location}</dd>` : ''}
          <dt>${say('Kind')}</dt><dd>${eventKind(one.kind)}</dd>
          <dt>${say('Places')}</dt><dd>${placesOf(one)}${one.waitlist ? html` · ${say('with a waiting list')}` : ''}</dd>
          <dt>${say('You')}</dt><dd>${standing(registration.value.length > 0, isWaiting)}</dd>
        </dl>
        ${registering(visit, one, registration.value.length > 0)}
      </section>
      <h2>${say('What it is about')}</h2>
      ${writtenText(one.description)}
      <h2>${say('Who is registered')}</h2>
      ${
        attendees.value.length === 0
          ? html`<p class="quiet">${say('Nobody yet.')}</p>`
          : html`<ul class="chips">${attendees.value.map(
              ({ login, displayname }) =>
                html`<li><a href="${pathOfPerson(login)}" title="${displayname}">${login}</a></li>`,
            )}</ul>`
      }
      ${attendees.total > attendees.value.length ? html`<p class="quiet">${say('and {count, number} more', { count: attendees.total - attendees.value.length })}</p>` : ''}
      ${asTheApiSays(found, registration, attendees)}`,
    )
  },
  async submit(visit, form) {
    const id = recordId(visit)
    const to = `/events/${id}`
    if (form.text('wish') === 'leave') {
      for (const own of (await registrationOf(visit, id)).value) {
        await send(visit, { method: 'DELETE', path: '/v2/events_users/:id', params: { id: own.id } })
      }
      return redirectTo(to, { notice: say('You are not registered any more.') })
    }
    const body = { events_user: { event_id: id, user_id: visit.person.id } }
    await send(visit, { method: 'POST', path: '/v2/events_users', body })
    return redirectTo(to, {
      notice: (await waits(visit, id)) ? say('The event is full: you wait for a place.') : say('You are registered.'),
    })
  },
})

/** The day stands once where it is the same. */
function spanOf(visit: PersonsVisit, { begin_at, end_at }: Event): Html {
  const [begin, end] = [new Date(begin_at), new Date(end_at)]
  const isSameDay = dayOf(visit, begin) === dayOf(visit, end)
  return html`${timeOf(visit, begin)} – ${isSameDay ? hourOf(visit, end) : timeOf(visit, end)}`
}

const ofPerson = (visit: PersonsVisit, id: number, more: Readonly<Record<string, string>> = {}) =>
  ask<readonly Registration[]>(visit, '/v2/users/:user_id/events_users', {
    params: { user_id: visit.person.id },
    query: { 'filter[event_id]': id, ...more },
  })

const registrationOf = (visit: PersonsVisit, id: number) => ofPerson(visit, id)

const waits = async (visit: PersonsVisit, id: number) =>
  (await ofPerson(visit, id, { 'filter[waiting]': 'true' })).value.length > 0

function standing(isRegistered: boolean, isWaiting: boolean): Html {
  if (isWaiting) return badge('waiting', say('waiting for a place'))
  return isRegistered ? badge('good', say('registered')) : badge('quiet', say('not registered'))
}

function registering(
  visit: PersonsVisit,
  { id, end_at, prohibition_of_cancellation: hours }: Event,
  isIn: boolean,
): Html | '' {
  if (new Date(end_at) <= visit.dependencies.clock.now())
    return html`<p class="quiet">${say('This event is over.')}</p>`
  const path = `/events/${id}`
  return html`
  <div class="actions">${
    isIn
      ? buttonForm(visit, path, say('Leave'), { kind: 'danger', fields: { wish: 'leave' } })
      : buttonForm(visit, path, say('Register'), { fields: { wish: 'register' } })
  }</div>
  ${hours === null ? '' : html`<p class="quiet">${say('Nobody leaves later than {hours, plural, one {# hour} other {# hours}} before it begins.', { hours })}</p>`}`
}
