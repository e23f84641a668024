import { apiPreview } from '../api-preview.ts'
import { type Answer, ask, send } from '../ask.ts'
import { avatar } from '../avatar.ts'
import { badge } from '../components.ts'
import { buttonForm, errorSummary } from '../fields.ts'
import { type Html, html, say } from '../html.ts'
import { formPage, type PersonPageContext, pageContent, recordId, redirectTo } from '../page.ts'
import { dayOf, hourOf, timeOf } from '../times.ts'
import { writtenText } from '../written-text.ts'
import { type Event, eventKind, isFull, placesOf } from './events.ts'
import { pathOfPerson } from './parts.ts'

const ATTENDEES_SHOWN = 60

export const event = formPage({
  path: '/events/:id',
  access: 'signed-in',
  async show(context, state) {
    const id = recordId(context)
    const found = await ask(context, '/v2/events/{id}', { path: { id } })
    const registration = await registrationOf(context, id)
    const isWaiting = registration.value.length > 0 && (await waits(context, id))
    const attendees = await ask(context, '/v2/events/{event_id}/users', {
      path: { event_id: id },
      query: { sort: 'login', per_page: ATTENDEES_SHOWN },
    })
    const one = found.value
    const campuses = await campusesOf(context, one)
    return pageContent(
      one.name,
      html`
      ${errorSummary(state.errors, { event_id: say('This event'), user_id: say('You') })}
      <section class="card">
        <dl class="facts">
          <dt>${say('When')}</dt><dd>${spanOf(context, one)}</dd>
          ${campuses.length > 0 ? html`<dt>${say('Campus')}</dt><dd>${campuses.map(({ id, name }, index) => html`${index > 0 ? ', ' : ''}<a href="/campuses/${id}">${name}</a>`)}</dd>` : ''}
          ${one.location ? html`<dt>${say('Where')}</dt><dd>${one.location}</dd>` : ''}
          <dt>${say('Kind')}</dt><dd>${eventKind(one.kind)}</dd>
          <dt>${say('Places')}</dt><dd>${placesOf(one)}${one.waitlist ? html` · ${say('with a waiting list')}` : ''}</dd>
          <dt>${say('You')}</dt><dd>${registrationState(registration.value.length > 0, isWaiting)}</dd>
        </dl>
        ${registering(context, one, registration.value.length > 0)}
      </section>
      <h2>${say('What it is about')}</h2>
      ${await writtenText(one.description)}
      <h2>${say('Who is registered')}</h2>
      ${
        attendees.value.length === 0
          ? html`<p class="quiet">${say('Nobody has registered yet.')}</p>`
          : html`<ul class="chips">${attendees.value.map(
              (one) =>
                html`<li><a href="${pathOfPerson(one.login)}" title="${one.displayname}">${avatar(one)} ${one.login}</a></li>`,
            )}</ul>`
      }
      ${attendees.total > attendees.value.length ? html`<p class="quiet">${say('and {count, number} more', { count: attendees.total - attendees.value.length })}</p>` : ''}
      ${apiPreview(found, registration, attendees)}`,
    )
  },
  async submit(context, form) {
    const id = recordId(context)
    const to = `/events/${id}`
    if (form.text('wish') === 'leave') {
      for (const own of (await registrationOf(context, id)).value) {
        await send(context, 'DELETE', '/v2/events_users/{id}', { path: { id: own.id } })
      }
      return redirectTo(to, { notice: say('You are not registered any more.') })
    }
    const body = { events_user: { event_id: id, user_id: context.person.id } }
    await send(context, 'POST', '/v2/events_users', { body })
    return redirectTo(to, {
      notice: (await waits(context, id)) ? say('The event is full: you wait for a place.') : say('You are registered.'),
    })
  },
})

async function campusesOf(context: PersonPageContext, { campus_ids: ids }: Event): Promise<Answer<'/v2/campus'>> {
  if (ids.length === 0) return []
  return (await ask(context, '/v2/campus', { query: { 'filter[id]': ids, sort: 'name', per_page: 100 } })).value
}

/** Shows the day once if both times are on it. */
function spanOf(context: PersonPageContext, { begin_at, end_at }: Event): Html {
  const [begin, end] = [new Date(begin_at), new Date(end_at)]
  const isSameDay = dayOf(context, begin) === dayOf(context, end)
  return html`${timeOf(context, begin)} – ${isSameDay ? hourOf(context, end) : timeOf(context, end)}`
}

const ofPerson = (context: PersonPageContext, id: number, isWaiting?: boolean) =>
  ask(context, '/v2/users/{user_id}/events_users', {
    path: { user_id: context.person.id },
    query: { 'filter[event_id]': [id], 'filter[waiting]': isWaiting },
  })

const registrationOf = (context: PersonPageContext, id: number) => ofPerson(context, id)

const waits = async (context: PersonPageContext, id: number) => (await ofPerson(context, id, true)).value.length > 0

function registrationState(isRegistered: boolean, isWaiting: boolean): Html {
  if (isWaiting) return badge('waiting', say('waiting for a place'))
  return isRegistered ? badge('good', say('registered')) : badge('quiet', say('not registered'))
}

function registering(context: PersonPageContext, event: Event, isIn: boolean): Html | '' {
  const { id, end_at, prohibition_of_cancellation: hours } = event
  if (new Date(end_at) <= context.dependencies.clock.now())
    return html`<p class="quiet">${say('This event is over.')}</p>`
  const path = `/events/${id}`
  if (isFull(event) && !isIn && !event.waitlist)
    return html`<p class="quiet">${say('Every place is taken, and the event has no waiting list.')}</p>`
  return html`
  <div class="actions">${
    isIn
      ? buttonForm(context, path, say('Leave'), { kind: 'danger', fields: { wish: 'leave' } })
      : buttonForm(context, path, isFull(event) ? say('Join the waiting list') : say('Register for this event'), {
          fields: { wish: 'register' },
        })
  }</div>
  ${hours === null ? '' : html`<p class="quiet">${say('Nobody leaves later than {hours, plural, one {# hour} other {# hours}} before it begins.', { hours })}</p>`}`
}
