import { hidesText } from '@campus/engine/base/text/hidden-text'
import { authorize, type Ending, type FormPost } from '../oauth/authorize/authorize.ts'
import { consentQuestion, consentTitle, hostOf, optionalScopes } from './applications/consent-question.ts'
import { unregisteredNote } from './applications/unregistered-note.ts'
import { csrfField } from './fields.ts'
import { type Html, html, say, sayWith } from './html.ts'
import { formPage, type Outcome, type PageContext, pageContent, pathOf, redirectTo } from './page.ts'
import { askedParameters, carriedThroughSignIn, queryAfterSigningIn, queryOf } from './sign-in-again.ts'

export const authorizePages = ['/oauth/authorize', '/v2/oauth/authorize'].flatMap((path) =>
  formPage({
    path,
    access: 'anybody',
    // The page issues a code at once if the person has allowed the application before.
    hasHead: false,
    // Applications may send their request by POST (OpenID Connect Core §3.1.2.1).
    takesForeignForms: true,
    show: async (context) => show(context, await run(context, undefined, [])),
    submit: async (context, form) =>
      show(context, await run(context, readDecision(form.text('decision')), form.list('scopes'))),
  }),
)

const readDecision = (text: string) => (text === 'allow' || text === 'deny' ? text : undefined)

type Decision = 'allow' | 'deny' | undefined

function run(context: PageContext, decision: Decision, ticked: readonly string[]): Promise<Ending> {
  const { dependencies, path, person, session, browser } = context
  const { database, clock, config, openid, clientDocuments, tokenLimits } = dependencies
  const asked = askedParameters(queryOf(path))
  return authorize(
    { database, clock, openid, documents: clientDocuments, limits: tokenLimits, baseUrl: config.baseUrl },
    {
      asked,
      userId: person?.id,
      sessionId: session?.id,
      authenticatedAt: session?.createdAt,
      authenticatedBy: session?.methods ?? [],
      decision,
      ticked,
      ...carriedThroughSignIn(context),
      address: browser.address,
    },
  )
}

async function show(context: PageContext, ending: Ending): Promise<Outcome> {
  switch (ending.kind) {
    case 'redirect':
      return redirectTo(ending.to)
    case 'form-post':
      return postToApplication(ending)
    case 'sign-in':
      return redirectTo(`/sign-in?${new URLSearchParams(await signInQuery(context, ending.expectedSubject))}`)
    case 'fault':
      return showFault(context, ending)
    case 'shown-error':
      return showError(ending)
    case 'consent':
      return askForConsent(context, ending)
  }
}

/** Returns a page that posts the response to the application, at once or, without scripts, by its button. */
const postToApplication = (response: FormPost): Outcome =>
  pageContent(
    say('Back to {application}', { application: response.client.name }),
    responseForm(response, { isSentAtOnce: true, label: say('Continue') }),
    {
      isNarrow: true,
      frame: 'bare',
      scripts: ['send-form'],
      leadsToApplication: true,
      frameAncestors: response.isSilent ? [new URL(response.to).origin] : [],
      // Applications check `Origin`. It is `null` with `same-origin`, and with `strict-origin` unless the redirect URI is https.
      referrerPolicy: 'origin',
    },
  )

const responseForm = (
  { to, parameters }: FormPost,
  { isSentAtOnce, label }: { readonly isSentAtOnce: boolean; readonly label: string },
): Html => html`
    <form method="post" action="${to}"${isSentAtOnce ? html` data-sends` : ''}>
      ${[...parameters].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
      <p><button${isSentAtOnce ? '' : html` class="second"`}>${label}</button></p>
    </form>`

/** Names the error without its description, which can quote the request. */
function showError({ error, client, redirectUri, response }: Extract<Ending, { kind: 'shown-error' }>): Outcome {
  const label = say('Continue to {host}', { host: hostOf(redirectUri) })
  return pageContent(
    titleOf(error),
    html`
    <p><strong>${client.name}</strong></p>
    <p class="quiet">${unregisteredNote(client.uid)}</p>
    <p>${sayWith('Its request ended with {error}. It was given nothing.', { error: html`<span class="code">${error}</span>` })}</p>
    <p>${say('You have not been sent back to it, since you have not allowed it before. Continue only if you trust it.')}</p>
    ${
      response.kind === 'redirect'
        ? html`<p><a class="button second" href="${response.to}" rel="noreferrer">${label}</a></p>`
        : responseForm(response, { isSentAtOnce: false, label })
    }`,
    {
      status: 400,
      isNarrow: true,
      leadsToApplication: response.kind === 'form-post',
      referrerPolicy: response.kind === 'form-post' ? 'origin' : 'same-origin',
    },
  )
}

function titleOf(error: Extract<Ending, { kind: 'shown-error' }>['error']): string {
  if (error === 'access_denied') return say('You have not allowed this application')
  const isMistake = error !== 'login_required' && error !== 'consent_required' && error !== 'temporarily_unavailable'
  return isMistake ? say('This request is not valid') : say('This cannot be done')
}

type Fault = Extract<Ending, { kind: 'fault' }>

const showFault = (context: PageContext, { text, refused, isMistake, needsRevocation = false }: Fault): Outcome =>
  pageContent(
    isMistake ? say('This request is not valid') : say('This cannot be done'),
    html`
    <p class="problem">${say(text)}</p>
    ${refused ? refusedAddress(context, refused) : ''}
    ${needsRevocation ? html`<p><a class="button second" href="/authorisations">${say('Authorised applications')}</a></p>` : ''}
    <p>${
      isMistake
        ? say(
            'You came here from an application that asks for leave to act for you, and its request has a mistake that only its developers can mend. You have not been sent back to it, and it was given nothing.',
          )
        : say('You have not been sent back to the application, and it was given nothing.')
    }</p>`,
    { status: 400, isNarrow: true },
  )

/** Names the address without a link. Shows the registered addresses only to the application's owner. */
function refusedAddress(context: PageContext, { client, address }: NonNullable<Fault['refused']>): Html {
  const shown = shownAddress(address)
  const isOwner = client.owner !== null && client.owner.id === context.person?.id
  return html`
  ${
    shown
      ? html`<p>${sayWith('{application} asked to come back to {address}, which is none of its redirect addresses.', {
          application: html`<strong>${client.name}</strong>`,
          address: html`<span class="code">${shown}</span>`,
        })}</p>`
      : ''
  }
  ${
    isOwner
      ? html`<p>${say('The application is yours. Its redirect addresses, which must be the same letter for letter:')}</p>
    <ul>${client.redirectUris.map((uri) => html`<li><span class="code">${uri}</span></li>`)}</ul>
    <p><a class="button second" href="/applications/${client.id}/edit">${say('Change them')}</a></p>`
      : ''
  }`
}

function askForConsent(
  context: PageContext,
  { client, scopes, redirectUri, learnsRefusal }: Extract<Ending, { kind: 'consent' }>,
): Outcome {
  const decisions = html`
    <form method="post" action="${context.path}">
      ${csrfField(context)}
      ${optionalScopes(scopes)}
      <div class="actions">
        <button name="decision" value="allow">${say('Allow')}</button>
        <button name="decision" value="deny" class="second">${say('Do not allow')}</button>
      </div>
    </form>`
  return pageContent(
    consentTitle(scopes, client.name),
    consentQuestion(context, { client, scopes, redirectUri, learnsRefusal, decisions }),
    { isNarrow: true, frame: 'bare', leadsToApplication: true },
  )
}

/** Returns the query of the sign-in page, with the login that the application expects (OpenID Connect Core §3.1.2.1). */
async function signInQuery(context: PageContext, expectedSubject: string | undefined): Promise<Record<string, string>> {
  const login = askedParameters(queryOf(context.path)).get('login_hint')
  return {
    again: 'yes',
    return_to: await afterSignIn(context, expectedSubject),
    ...(login ? { login: login.slice(0, 100) } : {}),
  }
}

/** Returns the address of this request, with a proof of the new sign-in that it requires. */
async function afterSignIn(context: PageContext, expectedSubject: string | undefined): Promise<string> {
  return `${pathOf(context)}?${await queryAfterSigningIn(context, expectedSubject)}`
}

const MAX_LENGTH = 200

/**
 * Returns an address of unknown origin without its query, which may hold secrets. Returns undefined if the address
 * could mislead a reader.
 */
function shownAddress(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url || text.length > 2048 || url.username || url.password || hidesText(text)) return undefined
  const address = url.host ? `${url.protocol}//${url.host}${url.pathname}` : `${url.protocol}${url.pathname}`
  // Percent-encoded text could read as a message.
  if (!/^[\w.~:/[\]-]+$/.test(address)) return undefined
  return address.length > MAX_LENGTH ? `${address.slice(0, MAX_LENGTH)}…` : address
}
