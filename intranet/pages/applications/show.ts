import { applicationById } from '../../oauth/applications/all.ts'
import { ownApplication } from '../../oauth/applications/own.ts'
import { auditRecordsAbout } from '../../services/audit/audit.ts'
import { auditList } from '../audit-texts.ts'
import { badge } from '../components.ts'
import { copied } from '../copy.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { type PageContext, page, pageContent, recordId } from '../page.ts'
import { timeOf } from '../times.ts'
import { signInFacts } from './sign-in-fields.ts'
import { USAGE_IS_LIVE, usageOf } from './usage.ts'

const EVENTS = 20

export const application = page({
  path: '/applications/:id',
  access: 'signed-in',
  isLive: USAGE_IS_LIVE,
  async show(context) {
    const { database, config } = context.dependencies
    const found = await ownApplication(database, context.person.id, recordId(context))
    const rated = await applicationById(database, found.id)
    const events = await auditRecordsAbout(database, found.id, EVENTS)
    return pageContent(
      found.name,
      html`
      <ul class="plain actions">
        <li><a class="button second" href="/applications/${found.id}/edit">${say('Change')}</a></li>
        ${found.confidential ? html`<li><a class="button second" href="/applications/${found.id}/secret">${say('New secret')}</a></li>` : ''}
        <li><a class="button second" href="/applications/${found.id}/sessions">${say('Sessions')}</a></li>
        <li><a class="button second" href="/applications/${found.id}/consent">${say('As your users will see it')}</a></li>
        <li><a class="button second" href="/applications/${found.id}/webhooks">${say('Webhooks')}</a></li>
        <li><a class="button danger" href="/applications/${found.id}/delete">${say('Delete')}</a></li>
      </ul>
      ${found.description ? html`<p class="lines">${found.description}</p>` : ''}
      ${await usageOf(context, rated)}
      <h2>${say('Settings')}</h2>
      <dl class="facts">
        <dt>${say('Client id')}</dt><dd>${copied({ id: 'uid', text: found.uid, button: say('Copy the client id') })}</dd>
        <dt>${say('Client secret')}</dt><dd>${secretText(context, found)}</dd>
        <dt>${say('Redirect addresses')}</dt>
        <dd>${found.redirect_uris.length === 0 ? say('none') : found.redirect_uris.map((uri) => html`<span class="code">${uri}</span><br>`)}</dd>
        <dt>${say('Scopes')}</dt><dd>${found.scopes.join(', ')}</dd>
        <dt>${say('Roles')}</dt><dd>${rated.roles.join(', ') || say('none; staff give them')}</dd>
        ${found.website ? html`<dt>${say('Website')}</dt><dd><a href="${found.website}" rel="noopener nofollow">${found.website}</a></dd>` : ''}
        ${found.image ? html`<dt>${say('Picture')}</dt><dd class="code">${found.image}</dd>` : ''}
        <dt>${say('Listing')}</dt><dd>${found.public ? badge('note', say('shown to everybody')) : badge('quiet', say('not listed'))}</dd>
        ${found.authorization_response_iss ? html`<dt>${say('Issuer')}</dt><dd>${sayWith('named as {parameter}', { parameter: html`<span class="code">iss</span>` })}</dd>` : ''}
        ${signInFacts(found)}
        <dt>${say('OAuth server metadata')}</dt>
        <dd><span class="code">${config.baseUrl}/.well-known/openid-configuration</span><br><span class="code">${config.baseUrl}/oauth/authorize</span><br><span class="code">${config.baseUrl}/oauth/token</span></dd>
      </dl>
      <h2>${say('Activity')}</h2>
      ${auditList(context, events)}`,
      { scripts: ['copy', 'refresh'] },
    )
  },
})

type Secret = { readonly confidential: boolean; readonly previous_secret_valid_until: Date | null }

function secretText(context: PageContext, { confidential, previous_secret_valid_until: until }: Secret): Html | string {
  if (!confidential) return say('none: it runs on people’s own machines')
  if (!until || until <= context.dependencies.clock.now()) return say('shown once, when it was made')
  return sayWith('shown once, when it was made; the former one works until {time}', { time: timeOf(context, until) })
}
