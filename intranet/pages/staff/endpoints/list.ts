import { type EndpointOverview, endpointOverviews } from '../../../webhooks/overview.ts'
import { reasonText } from '../../../webhooks/stored-reasons.ts'
import { badge, empty } from '../../components.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import { page, pageContent } from '../../page.ts'
import type { PageContext } from '../../page-context.ts'
import { timeOf } from '../../times.ts'

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

/** A webservice has no name of its own. */
export const endpointName = ({ campuses, id }: Pick<EndpointOverview, 'campuses' | 'id'>): string =>
  campuses.join(', ') || say('Endpoint {id}', { id: String(id) })

export function endpointState(context: PageContext, endpoint: EndpointOverview): Html {
  const { isEnabled, disabledAt, disabledReason, failingSince } = endpoint
  if (isEnabled && failingSince)
    return sayWith('{state} but nothing but failures since {time}', {
      state: badge('waiting', say('On')),
      time: timeOf(context, failingSince),
    })
  if (isEnabled) return badge('good', say('On'))
  return disabledAt
    ? sayWith('{state} at {time}: {why}', {
        state: badge('bad', say('Given up')),
        time: timeOf(context, disabledAt),
        why: disabledReason === null ? '' : say(reasonText(disabledReason)),
      })
    : html`${sayWith('{state}: nothing is delivered', { state: badge('quiet', say('Switched off')) })}`
}
