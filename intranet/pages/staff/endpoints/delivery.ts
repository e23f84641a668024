import { DENIALS, hasPowerOverEndpoint, requirePowerOverEndpoint } from '../../../access/powers.ts'
import { findDelivery } from '../../../webhooks/delivery-log.ts'
import { endpointOverview } from '../../../webhooks/overview.ts'
import { replayOne } from '../../../webhooks/replay.ts'
import { inTransaction } from '../../actor.ts'
import { attemptTable, resultOf, stateBadge } from '../../delivery-state.ts'
import { csrfField, errorSummary } from '../../fields.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import { formPage, type PersonPageContext, pageContent, recordId, redirectTo } from '../../page.ts'
import { timeOf } from '../../times.ts'
import { eventText } from './delivery-table.ts'
import { endpointName } from './list.ts'

const PATH = '/staff/deliveries/:id'

/** State of a delivery's password and meta. */
const SECRETS: Readonly<Record<string, () => string>> = {
  none: () => say('none'),
  sealed: () => say('sealed until they are delivered'),
  sent: () => say('delivered, and erased here'),
  erased: () => say('erased: too old, or given up'),
  lost: () => say('lost with the process that had sealed them'),
}

export const DELIVERY_PAGES = formPage({
  path: PATH,
  access: 'staff',
  isLive: { tables: ['deliveries', 'endpoints'] },
  async show(context, state) {
    const { database } = context.dependencies
    const found = await findDelivery(database, recordId(context))
    const endpoint = await endpointOverview(database, found.endpoint_id)
    const to = endpointName(endpoint)
    const time = (value: Date | null) => (value ? timeOf(context, value) : say('never'))
    const { milliseconds } = found
    const mayChange = await hasPowerOverEndpoint(database, context.person.id, endpoint.id)
    return pageContent(
      `${found.login} ${eventText(found.event)}`,
      html`
      ${errorSummary(state.errors, { endpoint: say('Webservice'), state: say('State') })}
      <div data-refresh="delivery" data-watch="page"><dl class="facts">
        <dt>${say('To')}</dt><dd><a href="/staff/endpoints/${endpoint.id}">${to}</a> <span class="code">${endpoint.url}</span></dd>
        <dt>${say('State')}</dt>
        <dd>${
          found.decided_at
            ? sayWith('{state} since {time}', {
                state: stateBadge(found.state),
                time: timeOf(context, found.decided_at),
              })
            : stateBadge(found.state)
        }</dd>
        ${found.state === 'pending' ? html`<dt>${say('Next attempt')}</dt><dd>${time(found.next_try_at)}</dd>` : ''}
        <dt>${say('Attempts')}</dt><dd>${found.tries}</dd>
        <dt>${say('Last result')}</dt>
        <dd>${
          milliseconds === null
            ? resultOf(found)
            : say('{result} after {milliseconds, number} ms', { result: resultOf(found), milliseconds })
        }</dd>
        <dt>${say('Recorded')}</dt><dd>${time(found.created_at)}</dd>
        <dt>${say('Password and meta')}</dt><dd>${SECRETS[found.secrets]?.() ?? found.secrets}</dd>
        <dt>Webhook-Id</dt><dd class="code">${found.webhook_id}</dd>
      </dl>
      ${found.state === 'pending' || !mayChange ? '' : replayForm(context, found.id, endpoint.isEnabled)}
      ${attemptTable(context, found.attempts, { isForStaff: true })}
      ${mayChange ? bodies(found) : html`<p class="quiet">${say(DENIALS.webservice)}</p>`}</div>`,
      {
        scripts: ['refresh'],
        trail: [
          { path: '/staff/endpoints', label: say('Webservices') },
          { path: `/staff/endpoints/${endpoint.id}`, label: to },
        ],
      },
    )
  },
  async submit(context) {
    const id = recordId(context)
    await inTransaction(context, async (tx, by) => {
      const { endpoint_id } = await findDelivery(tx, id)
      await requirePowerOverEndpoint(tx, by.actor, endpoint_id)
      await replayOne(tx, id, by)
    })
    return redirectTo(`/staff/deliveries/${id}`, { notice: say('It is queued again.') })
  },
})

const bodies = ({ answer, record }: Awaited<ReturnType<typeof findDelivery>>): Html => html`
  ${answer ? html`<h2>${say('Last answer')}</h2><pre class="card" tabindex="0">${answer}</pre>` : ''}
  <h2>${say('Record')}</h2>
  <pre class="card" tabindex="0">${JSON.stringify(record, null, 2)}</pre>`

const replayForm = (context: PersonPageContext, id: number, isEnabled: boolean): Html =>
  isEnabled
    ? html`<form method="post" action="/staff/deliveries/${id}">${csrfField(context)}<button>${say('Replay')}</button></form>`
    : html`<p class="quiet">${say('Its webservice is switched off. Once it is switched on, this can be replayed.')}</p>`
