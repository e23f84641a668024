import { findDelivery } from '../../../webhooks/delivery-log.ts'
import { endpointOverview } from '../../../webhooks/overview.ts'
import { replayOne } from '../../../webhooks/replay.ts'
import { actorOf } from '../../actor.ts'
import { csrfField, errorSummary } from '../../fields.ts'
import { type Html, html } from '../../html.ts'
import { formPage, redirectTo, view } from '../../page.ts'
import { recordId } from '../../record-id.ts'
import { table } from '../../table.ts'
import { timeOf } from '../../times.ts'
import type { PersonsVisit } from '../../visit.ts'
import { resultOf, stateBadge } from './standing.ts'

const PATH = '/staff/deliveries/:id'

/** What became of the password and meta of a delivery. */
const SECRETS: Readonly<Record<string, string>> = {
  none: 'none',
  sealed: 'sealed until they are delivered',
  sent: 'delivered, and erased here',
  erased: 'erased: too old, or given up',
  lost: 'lost with the process that had sealed them',
}

/** /staff/deliveries/:id: one delivery with every attempt, and its replay. */
export const DELIVERY_PAGES = formPage({
  path: PATH,
  access: 'staff',
  async show(visit, state) {
    const { database } = visit.dependencies
    const found = await findDelivery(database, recordId(visit))
    const endpoint = await endpointOverview(database, found.endpoint_id)
    const to = endpoint.campuses.join(', ') || `Endpoint ${endpoint.id}`
    const time = (value: Date | null) => (value ? timeOf(visit, value) : 'never')
    return view(
      `${found.login} ${found.event}`,
      html`
      ${errorSummary(state.errors, {})}
      <dl class="facts">
        <dt>To</dt><dd><a href="/staff/endpoints/${endpoint.id}">${to}</a> <span class="code">${endpoint.url}</span></dd>
        <dt>State</dt><dd>${stateBadge(found.state)}${found.decided_at ? html` since ${timeOf(visit, found.decided_at)}` : ''}</dd>
        ${found.state === 'pending' ? html`<dt>Next attempt</dt><dd>${time(found.next_try_at)}</dd>` : ''}
        <dt>Attempts</dt><dd>${found.tries}</dd>
        <dt>Last result</dt>
        <dd>${resultOf(found)}${found.milliseconds === null ? '' : ` after ${found.milliseconds} ms`}</dd>
        <dt>Recorded</dt><dd>${time(found.created_at)}</dd>
        <dt>Password and meta</dt><dd>${SECRETS[found.secrets] ?? found.secrets}</dd>
        <dt>Webhook-Id</dt><dd class="code">${found.webhook_id}</dd>
      </dl>
      ${found.state === 'pending' ? '' : replayForm(visit, found.id, endpoint.active)}
      ${found.attempts.length === 0 ? '' : attemptTable(visit, found.attempts)}
      ${found.answer ? html`<h2>Last answer</h2><pre class="card" tabindex="0">${found.answer}</pre>` : ''}
      <h2>Record</h2>
      <pre class="card" tabindex="0">${JSON.stringify(found.record, null, 2)}</pre>`,
      {
        trail: [
          { path: '/staff/endpoints', label: 'Webservices' },
          { path: `/staff/endpoints/${endpoint.id}`, label: to },
        ],
      },
    )
  },
  async submit(visit) {
    const { database, clock } = visit.dependencies
    const [id, now] = [recordId(visit), clock.now()]
    await database.transaction((tx) => replayOne(tx, id, { actor: actorOf(visit), now }))
    return redirectTo(`/staff/deliveries/${id}`, { notice: 'It is queued again.' })
  },
})

const replayForm = (visit: PersonsVisit, id: number, isActive: boolean): Html =>
  isActive
    ? html`<form method="post" action="/staff/deliveries/${id}">${csrfField(visit)}<button>Replay</button></form>`
    : html`<p class="quiet">Its webservice is switched off. Once it is switched on, this can be replayed.</p>`

type Attempts = Awaited<ReturnType<typeof findDelivery>>['attempts']

const attemptTable = (visit: PersonsVisit, attempts: Attempts): Html => html`
  <h2>Attempts</h2>
  ${table(
    'Attempts',
    ['At', 'Result', 'Took'],
    attempts.map(({ at, status, error, milliseconds }) => [
      timeOf(visit, new Date(at)),
      error ?? `answered ${status}`,
      `${milliseconds} ms`,
    ]),
  )}`
