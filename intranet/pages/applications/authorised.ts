import { listConsents, revokeConsent } from '../../oauth/consents.ts'
import { isSelfRegistered, isUnregistered } from '../../oauth/unregistered-clients.ts'
import { inTransaction } from '../actor.ts'
import { empty } from '../components.ts'
import { buttonForm } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import { formAction, page, pageContent, recordId, redirectTo } from '../page.ts'
import { timeOf } from '../times.ts'
import { hostOf, scopeText } from './consent-question.ts'
import { unregisteredNote } from './unregistered-note.ts'

const list = page({
  path: '/authorisations',
  access: 'signed-in',
  async show(context) {
    const consents = await listConsents(context.dependencies.database, context.person.id)
    return pageContent(
      say('Authorised applications'),
      html`
      <p>${say(
        'Applications that you let act for you. What you take back ends at once; the application has to ask you again.',
      )}</p>
      ${consents.length === 0 ? empty(say('You have allowed no application. Each asks you before it acts for you.')) : ''}
      ${consents.map(
        ({ application_id: id, uid, name, website, redirect_uris, scopes, created_at, last_used_at }) => html`
      <article class="card" aria-labelledby="application-${id}">
        <h2 id="application-${id}">${name}</h2>
        ${unregisteredNote(uid) ? html`<p class="quiet">${unregisteredNote(uid)}</p>` : ''}
        ${isSelfRegistered(uid) ? html`<p class="quiet">${addressesOf(redirect_uris)}</p>` : ''}
        ${website && !isUnregistered(uid) ? html`<p><a href="${website}" rel="noopener nofollow">${website}</a></p>` : ''}
        <p>${say('It may:')}</p>
        <ul>${scopes.map((scope) => html`<li>${scopeText(scope)}</li>`)}</ul>
        <p class="quiet">${sayWith('Since {since}', { since: timeOf(context, created_at) })} ·
          ${last_used_at ? sayWith('last used {time}', { time: timeOf(context, last_used_at) }) : say('not used yet')}</p>
        ${buttonForm(context, `/authorisations/${id}/revoke`, say('Revoke'), { kind: 'danger', label: say('Revoke {name}', { name }) })}
      </article>`,
      )}`,
    )
  },
})

/**
 * Names the hosts that a client sends people back to. The name of the client proves nothing, since the client chose it.
 */
const addressesOf = (redirectUris: readonly string[]): Html => {
  const hosts = [...new Set(redirectUris.map(hostOf))]
  return sayWith('Addresses: {addresses}', {
    addresses: html`${hosts.map((host, at) => html`${at > 0 ? ', ' : ''}<span class="code">${host}</span>`)}`,
  })
}

const revocation = formAction({
  path: '/authorisations/:id/revoke',
  access: 'signed-in',
  async submit(context) {
    const consent = { userId: context.person.id, applicationId: recordId(context) }
    await inTransaction(context, (tx, by) => revokeConsent(tx, { ...consent, ...by }))
    return redirectTo('/authorisations', { notice: say('The application may no longer act for you.') })
  },
})

export const AUTHORISATION_PAGES = [...list, ...revocation]
