import { ValidationErrors } from '../../../validation-errors.ts'
import { listDeliveries } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { beginOfDay, deliveriesByDay, type EndpointOverview, endpointOverview } from '../../../webhooks/overview.ts'
import { replayRange } from '../../../webhooks/replay.ts'
import { switchEndpoint } from '../../../webhooks/switch-on.ts'
import { actorOf } from '../../actor.ts'
import { endOfDay, readDay } from '../../days.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../../fields.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { type FormState, formAction, formPage, redirectTo, view } from '../../page.ts'
import { pageLinks, partOf, shownOf } from '../../paging.ts'
import { recordId } from '../../record-id.ts'
import { say } from '../../say.ts'
import type { PersonsVisit } from '../../visit.ts'
import { daysChart } from './days-chart.ts'
import { deliveryFilters, deliveryTable, listingOf } from './delivery-table.ts'
import { endpointName, standingOf, stateText } from './standing.ts'

const PATH = '/staff/endpoints/:id'
const labels = () => ({ replay_state: say('Which'), from: say('From'), to: say('To') })
const REPLAYABLE = STATES.filter((state) => state !== 'pending').reverse()
const DAYS = 14

/** /staff/endpoints/:id: one webservice, its deliveries, and replaying those of a range. */
const one = formPage({
  path: PATH,
  access: 'staff',
  async show(visit, state) {
    const { database, clock, config } = visit.dependencies
    const found = await endpointOverview(database, recordId(visit))
    const days = await deliveriesByDay(database, found.id, { now: clock.now(), days: DAYS, timeZone: config.timeZone })
    const part = partOf(visit)
    const deliveries = await listDeliveries(database, { endpoint: found.id, ...listingOf(visit), ...part })
    const { pending, dead, rejected } = found
    return view(
      endpointName(found),
      html`
      <dl class="facts">
        <dt>${say('Address')}</dt><dd class="code">${found.url}</dd>
        ${found.description ? html`<dt>${say('Description')}</dt><dd>${found.description}</dd>` : ''}
        <dt>${say('Standing')}</dt><dd>${standingOf(visit, found)}</dd>
        <dt>${say('Deliveries')}</dt>
        <dd>${say('{pending, number} waiting, {dead, number} given up, {rejected, number} rejected', { pending, dead, rejected })}</dd>
      </dl>
      ${errorSummary(state.errors, labels())}
      ${switchForms(visit, found)}
      <h2>${say('The last {days} days', { days: DAYS })}</h2>
      ${daysChart(days)}
      ${found.active ? replayForm(visit, found, state) : ''}
      <h2 id="deliveries">${say('Deliveries')}</h2>
      ${deliveryFilters(visit)}
      ${deliveryTable(visit, shownOf(deliveries))}
      ${pageLinks(visit, part, deliveries.length)}
      <p><a href="/staff/endpoints">${say('All webservices')}</a></p>`,
    )
  },
  async submit(visit, form) {
    const { database, clock } = visit.dependencies
    const { id } = await endpointOverview(database, recordId(visit))
    const range = { endpointId: id, ...(await readRange(visit, form)) }
    const replaying = { actor: actorOf(visit), now: clock.now() }
    const replayed = await database.transaction((tx) => replayRange(tx, range, replaying))
    return redirectTo(`/staff/endpoints/${id}`, { notice: queuedAgain(replayed) })
  },
})

/** Switching it on may replay what was given up. */
const switching = formAction({
  path: `${PATH}/switch`,
  access: 'staff',
  async submit(visit, form) {
    const { database, clock } = visit.dependencies
    const [id, actor, now] = [recordId(visit), actorOf(visit), clock.now()]
    const active = form.text('active') === 'yes'
    const replayed = await database.transaction(async (tx) => {
      await switchEndpoint(tx, { id, active, actor, now })
      return active && form.text('replay') === 'yes' ? replayRange(tx, { endpointId: id }, { actor, now }) : 0
    })
    const switched = active ? say('It is switched on.') : say('It is switched off.')
    const notice = replayed > 0 ? `${switched} ${queuedAgain(replayed)}` : switched
    return redirectTo(`/staff/endpoints/${id}`, { notice })
  },
})

const queuedAgain = (deliveries: number) =>
  say('{deliveries, plural, one {# delivery is} other {# deliveries are}} queued again.', { deliveries })

export const ENDPOINT_PAGE = [...one, ...switching]

function switchForms(visit: PersonsVisit, { id, active, dead }: EndpointOverview): Html {
  const to = `/staff/endpoints/${id}/switch`
  const change = html`<a class="button second" href="/staff/endpoints/${id}/edit">${say('Change')}</a>`
  if (active)
    return html`<div class="actions">${change} ${buttonForm(visit, to, say('Switch off'), { kind: 'danger', fields: { active: 'no' } })}</div>`
  const withReplay = say('Switch on and replay {dead, plural, one {# delivery} other {# deliveries}}', { dead })
  return html`<div class="actions">
    ${dead > 0 ? buttonForm(visit, to, withReplay, { fields: { active: 'yes', replay: 'yes' } }) : ''}
    ${buttonForm(visit, to, say('Switch on'), { ...(dead > 0 && { kind: 'second' }), fields: { active: 'yes' } })}
    ${change}
  </div>
  <p class="quiet">${say('Changes made while it is off are not recorded: only deliveries from before can be replayed.')}</p>`
}

const replayForm = (visit: PersonsVisit, { id }: EndpointOverview, state: FormState): Html => html`
  <details${Object.keys(state.errors).length > 0 ? html` open` : ''}><summary>${say('Replay deliveries of a range')}</summary>
    <form method="post" action="/staff/endpoints/${id}">
      ${csrfField(visit)}
      <div class="columns">
      ${selectField(state, {
        name: 'replay_state',
        label: labels().replay_state,
        choices: REPLAYABLE.map((value) => ({ value, label: stateText(value) })),
        chosen: 'dead',
      })}
      ${textField(state, { name: 'from', label: labels().from, type: 'date', hint: say('The first day; blank: all before.') })}
      ${textField(state, { name: 'to', label: labels().to, type: 'date', hint: say('The last day; blank: until now.') })}
      </div>
      <div class="actions"><button>${say('Replay')}</button></div>
    </form>
  </details>`

async function readRange({ dependencies }: PersonsVisit, form: Form) {
  const errors = new ValidationErrors()
  const [from, to] = [dayOf(errors, 'from', form), dayOf(errors, 'to', form)]
  const state = REPLAYABLE.find((known) => known === form.text('replay_state'))
  if (!state) errors.add('replay_state', 'must be one of the choices')
  if (from && to && from > to) errors.add('to', 'must not be before the first day')
  errors.throwIfAny()
  const { database, config } = dependencies
  return {
    state,
    from: from ? await beginOfDay(database, from, config.timeZone) : undefined,
    to: to ? new Date((await endOfDay(database, to, config.timeZone)).getTime() - 1) : undefined,
  }
}

function dayOf(errors: ValidationErrors, field: string, form: Form): string | undefined {
  const read = readDay(form.text(field))
  if (read && 'fault' in read) errors.add(field, read.fault)
  return read && 'day' in read ? read.day : undefined
}
