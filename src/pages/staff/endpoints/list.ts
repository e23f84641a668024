import { endpointOverviews } from '../../../webhooks/overview.ts'
import { empty } from '../../empty.ts'
import { html } from '../../html.ts'
import { page, view } from '../../page.ts'
import { timeOf } from '../../times.ts'
import { standingOf } from './standing.ts'

/** /staff/endpoints: all webservices, those that need somebody first. */
export const endpointList = page({
  path: '/staff/endpoints',
  access: 'staff',
  async show(visit) {
    const found = await endpointOverviews(visit.dependencies.database)
    return view(
      'Webservices',
      html`
      <p>Each campus may have a webservice that gets a webhook when an account is created, changed, closed or opened again.</p>
      ${found.length === 0 ? empty(html`There are none yet. They are made through the API: <span class="code">POST /v2/endpoints</span>.`, { path: '/apidoc/endpoints', label: 'See how' }) : ''}
      ${found.map(
        (endpoint) => html`
      <article class="card" aria-labelledby="endpoint-${endpoint.id}">
        <h2 id="endpoint-${endpoint.id}"><a href="/staff/endpoints/${endpoint.id}">${endpoint.campuses.join(', ') || `Endpoint ${endpoint.id}`}</a></h2>
        <p class="code">${endpoint.url}</p>
        <p>${standingOf(visit, endpoint)}</p>
        <p class="quiet">${endpoint.pending} waiting${
          endpoint.oldestPendingAt ? html` (the oldest since ${timeOf(visit, endpoint.oldestPendingAt)})` : ''
        } · ${endpoint.dead} given up · ${endpoint.rejected} rejected</p>
      </article>`,
      )}`,
    )
  },
})
