import { dateKind, WrongValue } from '../../../rest/declare/fields/kinds.ts'
import { ValidationErrors } from '../../../validation-errors.ts'
import { listDeliveries } from '../../../webhooks/delivery-log.ts'
import { STATES } from '../../../webhooks/delivery-states.ts'
import { beginOfDay, deliveriesByDay, type EndpointOverview, endpointOverview } from '../../../webhooks/overview.ts'
import { replayRange } from '../../../webhooks/replay.ts'
import { switchEndpoint } from '../../../webhooks/switch-on.ts'
import { actorOf } from '../../actor.ts'
import { count } from '../../bars.ts'
import { buttonForm, csrfField, errorSummary, selectField, textField } from '../../fields.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { type FormState, formAction, formPage, redirectTo, view } from '../../page.ts'
import { pageLinks, partOf, shownOf } from '../../paging.ts'
import { recordId } from '../../record-id.ts'
import type { PersonsVisit } from '../../visit.ts'
import { daysChart } from './days-chart.ts'
import { deliveryTable, filterForm, listingOf } from './delivery-table.ts'
import { standingOf } from './standing.ts'

const PATH = '/staff/endpoints/:id'
const LABELS = { replay_state: 'Which', from: 'From', to: 'To' }
const REPLAYABLE = STATES.filter((state) => state !== 'pending').reverse()
const DAYS = 14
const DAY_MS = 86_400_000

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
    return view(
      found.campuses.join(', ') || `Endpoint ${found.id}`,
      html`
      <dl class="facts">
        <dt>Address</dt><dd class="code">${found.url}</dd>
        ${found.description ? html`<dt>Description</dt><dd>${found.description}</dd>` : ''}
        <dt>Standing</dt><dd>${standingOf(visit, found)}</dd>
        <dt>Deliveries</dt><dd>${found.pending} waiting, ${found.dead} given up, ${found.rejected} rejected</dd>
      </dl>
      ${errorSummary(state.errors, LABELS)}
      ${switchForms(visit, found)}
      <h2>The last ${DAYS} days</h2>
      ${daysChart(days)}
      ${found.active ? replayForm(visit, found, state) : ''}
      <h2 id="deliveries">Deliveries</h2>
      ${filterForm(visit)}
      ${deliveryTable(visit, shownOf(deliveries))}
      ${pageLinks(visit, part, deliveries.length)}
      <p><a href="/staff/endpoints">All webservices</a></p>`,
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
    const more = replayed > 0 ? ` ${queuedAgain(replayed)}` : ''
    return redirectTo(`/staff/endpoints/${id}`, { notice: `It is switched ${active ? 'on' : 'off'}.${more}` })
  },
})

const counted = (deliveries: number) => count(deliveries, 'delivery', 'deliveries')
const queuedAgain = (deliveries: number) => `${counted(deliveries)} ${deliveries === 1 ? 'is' : 'are'} queued again.`

export const ENDPOINT_PAGE = [...one, ...switching]

function switchForms(visit: PersonsVisit, { id, active, dead }: EndpointOverview): Html {
  const to = `/staff/endpoints/${id}/switch`
  if (active)
    return html`<div class="actions">${buttonForm(visit, to, 'Switch off', { kind: 'danger', fields: { active: 'no' } })}</div>`
  return html`<div class="actions">
    ${
      dead > 0
        ? buttonForm(visit, to, `Switch on and replay ${counted(dead)}`, {
            fields: { active: 'yes', replay: 'yes' },
          })
        : ''
    }
    ${buttonForm(visit, to, 'Switch on', { kind: dead > 0 ? 'second' : undefined, fields: { active: 'yes' } })}
  </div>
  <p class="quiet">Changes made while it is off are not recorded: only deliveries from before can be replayed.</p>`
}

const replayForm = (visit: PersonsVisit, { id }: EndpointOverview, state: FormState): Html => html`
  <details${Object.keys(state.errors).length > 0 ? html` open` : ''}><summary>Replay deliveries of a range</summary>
    <form method="post" action="/staff/endpoints/${id}">
      ${csrfField(visit)}
      <div class="columns">
      ${selectField(state, { name: 'replay_state', label: LABELS.replay_state, choices: REPLAYABLE, chosen: 'dead' })}
      ${textField(state, { name: 'from', label: LABELS.from, type: 'date', hint: 'The first day; blank: all before.' })}
      ${textField(state, { name: 'to', label: LABELS.to, type: 'date', hint: 'The last day; blank: until now.' })}
      </div>
      <div class="actions"><button>Replay</button></div>
    </form>
  </details>`

async function readRange({ dependencies }: PersonsVisit, form: Form) {
  const errors = new ValidationErrors()
  const [from, to] = [readDay(errors, 'from', form), readDay(errors, 'to', form)]
  const state = REPLAYABLE.find((known) => known === form.text('replay_state'))
  if (!state) errors.add('replay_state', 'must be one of the choices')
  if (from && to && from > to) errors.add('to', 'must not be before the first day')
  errors.throwIfAny()
  const { database, config } = dependencies
  const after = to && new Date(Date.parse(`${to}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
  return {
    state,
    from: from ? await beginOfDay(database, from, config.timeZone) : undefined,
    to: after ? new Date((await beginOfDay(database, after, config.timeZone)).getTime() - 1) : undefined,
  }
}

function readDay(errors: ValidationErrors, field: string, form: Form): string | undefined {
  const text = form.text(field).trim()
  if (text === '') return undefined
  try {
    return String(dateKind.read(text))
  } catch (error) {
    if (!(error instanceof WrongValue)) throw error
    errors.add(field, error.message)
    return undefined
  }
}
