import { eventsAbout } from '../../audit/audit.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { rolesOf } from '../../oauth/applications/rights.ts'
import { callsByHour } from '../../oauth/call-counts.ts'
import { badge } from '../badge.ts'
import { callsChart } from '../chart.ts'
import { eventList } from '../events.ts'
import { type Html, html } from '../html.ts'
import { page, view } from '../page.ts'
import { recordId } from '../record-id.ts'
import { timeOf } from '../times.ts'
import type { Visit } from '../visit.ts'

const EVENTS = 20
const HOURS = 24

/** /applications/:id: one of the person's own; anybody else's is not there. */
export const application = page({
  path: '/applications/:id',
  access: 'signed-in',
  async show(visit) {
    const { database, clock, config } = visit.dependencies
    const found = await ownApplication(database, visit.person.id, recordId(visit))
    const roles = await rolesOf(database, found.id)
    const hours = await callsByHour(database, found.id, { now: clock.now(), hours: HOURS })
    const events = await eventsAbout(database, found.id, EVENTS)
    return view(
      found.name,
      html`
      <ul class="plain actions">
        <li><a class="button second" href="/applications/${found.id}/edit">Change</a></li>
        ${found.confidential ? html`<li><a class="button second" href="/applications/${found.id}/secret">New secret</a></li>` : ''}
        <li><a class="button danger" href="/applications/${found.id}/delete">Delete</a></li>
      </ul>
      ${found.description ? html`<p class="lines">${found.description}</p>` : ''}
      <dl class="facts">
        <dt>Client id</dt><dd class="code">${found.uid}</dd>
        <dt>Client secret</dt><dd>${secretText(visit, found)}</dd>
        <dt>Redirect addresses</dt>
        <dd>${found.redirect_uris.length === 0 ? 'none' : found.redirect_uris.map((uri) => html`<span class="code">${uri}</span><br>`)}</dd>
        <dt>Scopes</dt><dd>${found.scopes.join(', ')}</dd>
        <dt>Roles</dt><dd>${roles.map(({ name }) => name).join(', ') || 'none; staff give them'}</dd>
        ${found.website ? html`<dt>Website</dt><dd><a href="${found.website}" rel="noopener nofollow">${found.website}</a></dd>` : ''}
        <dt>Listing</dt><dd>${found.public ? badge('note', 'shown to everybody') : badge('quiet', 'not listed')}</dd>
        ${found.authorization_response_iss ? html`<dt>Issuer</dt><dd>named as <span class="code">iss</span></dd>` : ''}
        <dt>OAuth server metadata</dt>
        <dd><span class="code">${config.baseUrl}/oauth/authorize</span><br><span class="code">${config.baseUrl}/oauth/token</span></dd>
      </dl>
      <h2>Calls</h2>
      ${callsChart(visit, hours)}
      <h2>What was done to it</h2>
      ${eventList(visit, events)}`,
    )
  },
})

type Secret = { readonly confidential: boolean; readonly previous_secret_valid_until: Date | null }

function secretText(visit: Visit, { confidential, previous_secret_valid_until: until }: Secret): Html | string {
  if (!confidential) return 'none: it runs on people’s own machines'
  if (!until || until <= visit.dependencies.clock.now()) return 'shown once, when it was made'
  return html`shown once, when it was made; the former one works until ${timeOf(visit, until)}`
}
