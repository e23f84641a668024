import { endpointOverviews } from '../../../webhooks/overview.ts'
import { empty } from '../../components.ts'
import { html, say, sayWith } from '../../html.ts'
import { page, pageContent } from '../../page.ts'
import { timeOf } from '../../times.ts'
import { endpointName, endpointState } from './endpoint-state.ts'

export const endpointList = page({
  path: '/staff/endpoints',
  access: 'staff',
  isLive: { tables: ['deliveries', 'endpoints'] },
  async show(context) {
    const found = await endpointOverviews(context.dependencies.database)
    const registration = { path: '/staff/endpoints/new', label: say('Register a webservice') }
    return pageContent(
      say('Webservices'),
      html`
      <p>${say('Each campus may have a webservice that gets a webhook when an account is created, changed, closed or opened again.')}</p>
      ${
        found.length === 0
          ? empty(say('There are none yet.'), registration)
          : html`<div class="actions"><a class="button second" href="${registration.path}">${registration.label}</a></div>`
      }
      <div data-refresh="webservices" data-watch="page">${found.map(
        (endpoint) => html`
      <article class="card" aria-labelledby="endpoint-${endpoint.id}">
        <h2 id="endpoint-${endpoint.id}"><a href="/staff/endpoints/${endpoint.id}">${endpointName(endpoint)}</a></h2>
        <p class="code">${endpoint.url}</p>
        <p>${endpointState(context, endpoint)}</p>
        <p class="quiet">${
          endpoint.oldestPendingAt
            ? sayWith('{pending, number} waiting (the oldest since {time})', {
                pending: endpoint.pending,
                time: timeOf(context, endpoint.oldestPendingAt),
              })
            : say('{pending, number} waiting', { pending: endpoint.pending })
        } · ${say('{dead, number} given up', { dead: endpoint.dead })} · ${say('{rejected, number} rejected', { rejected: endpoint.rejected })}</p>
      </article>`,
      )}</div>`,
      { scripts: ['refresh'] },
    )
  },
})
