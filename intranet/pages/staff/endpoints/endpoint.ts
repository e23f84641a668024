import { ValidationErrors } from '@campus/engine/validation-errors'
import { DENIALS, hasPowerOverEndpoint, requirePowerOverEndpoint } from '../../../access/powers.ts'
import { listDeliveries } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { setEndpointEnabled } from '../../../webhooks/enable-endpoint.ts'
import { beginOfDay, deliveriesByDay, type EndpointOverview, endpointOverview } from '../../../webhooks/overview.ts'
import { replayRange } from '../../../webhooks/replay.ts'
import { actorOf, inTransaction } from '../../actor.ts'
import { confirmation, isConfirmed } from '../../confirm.ts'
import { endOfDay, readDay } from '../../days.ts'
import { stateText } from '../../delivery-state.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { type Form, type FormState, formAction, formPage, pageContent, recordId, redirectTo } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { pageLinks, partOf, shownOf } from '../../paging.ts'
import { daysChart, deliveryFilters, deliveryTable, listingOf } from './delivery-table.ts'
import { endpointName, endpointState } from './list.ts'

const PATH = '/staff/endpoints/:id'
const labels = () => ({ replay_state: say('Which'), from: say('From'), to: say('To') })
const REPLAYABLE = STATES.filter((state) => state !== 'pending').reverse()
const DAYS = 14

const one = formPage({
  path: PATH,
  access: 'staff',
  isLive: { tables: ['deliveries', 'endpoints'] },
  async show(context, state) {
    const { database, clock } = context.dependencies
    const found = await endpointOverview(database, recordId(context))
    const days = await deliveriesByDay(database, found.id, { now: clock.now(), days: DAYS, timeZone: context.timeZone })
    const part = partOf(context)
    const deliveries = await listDeliveries(database, { endpoint: found.id, ...listingOf(context), ...part })
    const { pending, dead, rejected } = found
    const mayChange = await hasPowerOverEndpoint(database, context.person.id, found.id)
    return pageContent(
      endpointName(found),
      html`
      <dl class="facts" data-refresh="facts" data-watch="page">
        <dt>${say('Address')}</dt><dd class="code">${found.url}</dd>
        ${found.description ? html`<dt>${say('Description')}</dt><dd>${found.description}</dd>` : ''}
        <dt>${say('Standing')}</dt><dd>${endpointState(context, found)}</dd>
        <dt>${say('Deliveries')}</dt>
        <dd>${say('{pending, number} waiting, {dead, number} given up, {rejected, number} rejected', { pending, dead, rejected })}</dd>
      </dl>
      ${errorSummary(state.errors, labels())}
      <div data-refresh="switch">${mayChange ? enablingForms(context, found) : html`<p class="quiet">${say(DENIALS.webservice)}</p>`}</div>
      <h2>${say('The last {days} days', { days: DAYS })}</h2>
      <div data-refresh="days">${daysChart(days)}</div>
      ${found.isEnabled && mayChange ? replayForm(context, found, state) : ''}
      <h2 id="deliveries">${say('Deliveries')}</h2>
      ${deliveryFilters(context)}
      <div data-refresh="deliveries">${deliveryTable(context, shownOf(deliveries))}
      ${pageLinks(context, part, deliveries.length)}</div>
      <p><a href="/staff/endpoints">${say('All webservices')}</a></p>`,
      { scripts: ['refresh'] },
    )
  },
  async submit(context, form) {
    const { id } = await endpointOverview(context.dependencies.database, recordId(context))
    const range = { endpointId: id, ...(await readRange(context, form)) }
    const replayed = await inTransaction(context, async (tx, by) => {
      await requirePowerOverEndpoint(tx, by.actor, id)
      return replayRange(tx, range, by)
    })
    return redirectTo(`/staff/endpoints/${id}`, { notice: queuedAgain(replayed) })
  },
})

/** May also replay dead deliveries. */
const enabling = formAction({
  path: `${PATH}/switch`,
  access: 'staff',
  async submit(context, form) {
    const id = recordId(context)
    const isEnabled = form.text('active') === 'yes'
    const back = `/staff/endpoints/${id}`
    if (!isEnabled && !isConfirmed(form)) {
      await requirePowerOverEndpoint(context.dependencies.database, actorOf(context), id)
      return confirmation(context, {
        title: say('Switch the webservice off?'),
        text: say(
          'It is told of no change until it is switched on again. Changes made meanwhile are not recorded, and it never hears of them.',
        ),
        back,
        fields: { active: 'no' },
        button: say('Switch it off'),
        isDanger: true,
      })
    }
    const replayed = await inTransaction(context, async (tx, by) => {
      await requirePowerOverEndpoint(tx, by.actor, id)
      await setEndpointEnabled(tx, { id, isEnabled, ...by })
      return isEnabled && form.text('replay') === 'yes' ? replayRange(tx, { endpointId: id }, by) : 0
    })
    const done = isEnabled ? say('It is switched on.') : say('It is switched off.')
    const notice = replayed > 0 ? `${done} ${queuedAgain(replayed)}` : done
    return redirectTo(back, { notice })
  },
})

const queuedAgain = (deliveries: number) =>
  say('{deliveries, plural, one {# delivery is} other {# deliveries are}} queued again.', { deliveries })

export const ENDPOINT_PAGE = [...one, ...enabling]

function enablingForms(context: PersonPageContext, { id, isEnabled, dead }: EndpointOverview): Html {
  const to = `/staff/endpoints/${id}/switch`
  const change = html`<a class="button second" href="/staff/endpoints/${id}/edit">${say('Change')}</a>`
  if (isEnabled)
    return html`<div class="actions">${change} ${buttonForm(context, to, say('Switch off'), { kind: 'danger', fields: { active: 'no' } })}</div>`
  const withReplay = say('Switch on and replay {dead, plural, one {# delivery} other {# deliveries}}', { dead })
  return html`<div class="actions">
    ${dead > 0 ? buttonForm(context, to, withReplay, { fields: { active: 'yes', replay: 'yes' } }) : ''}
    ${buttonForm(context, to, say('Switch on'), { ...(dead > 0 && { kind: 'second' }), fields: { active: 'yes' } })}
    ${change}
  </div>
  <p class="quiet">${say('Changes made while it is off are not recorded: only deliveries from before can be replayed.')}</p>`
}

const replayForm = (context: PersonPageContext, { id }: EndpointOverview, state: FormState): Html => html`
  <details${Object.keys(state.errors).length > 0 ? html` open` : ''}><summary>${say('Replay deliveries of a range')}</summary>
    <form method="post" action="/staff/endpoints/${id}">
      ${csrfField(context)}
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

async function readRange({ dependencies: { database }, timeZone }: PersonPageContext, form: Form) {
  const errors = new ValidationErrors()
  const [from, to] = [dayOf(errors, 'from', form), dayOf(errors, 'to', form)]
  const state = REPLAYABLE.find((known) => known === form.text('replay_state'))
  if (!state) errors.add('replay_state', 'must be one of the choices')
  if (from && to && from > to) errors.add('to', 'must not be before the first day')
  errors.throwIfAny()
  return {
    state,
    from: from ? await beginOfDay(database, from, timeZone) : undefined,
    to: to ? new Date((await endOfDay(database, to, timeZone)).getTime() - 1) : undefined,
  }
}

function dayOf(errors: ValidationErrors, field: string, form: Form): string | undefined {
  const read = readDay(form.text(field))
  if (read && 'fault' in read) errors.add(field, read.fault)
  return read && 'day' in read ? read.day : undefined
}
