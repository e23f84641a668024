import { isOptionalScope, isScope, PROFILE_CLAIMS, type Scope } from '../../access/scopes.ts'
import { isLoopback } from '../../oauth/authorize/redirect-uri.ts'
import { isSigningInAlone } from '../../oauth/openid/scopes.ts'
import { isSelfRegistered, isUnregistered } from '../../oauth/unregistered-clients.ts'
import { checkboxes } from '../fields.ts'
import { type Html, html, say, sayWith } from '../html.ts'
import type { PageContext } from '../page-context.ts'
import { unregisteredNote } from './unregistered-note.ts'

type Client = {
  readonly uid: string
  readonly name: string
  readonly website: string | null
  readonly image: string | null
  readonly owner: { readonly login: string; readonly displayname: string } | null
}
type Question = {
  readonly client: Client
  readonly scopes: readonly string[]
  readonly redirectUri: string
  /** Whether the application learns that the person refused. */
  readonly learnsRefusal: boolean
  readonly decisions: Html | ''
}

export const consentQuestion = (
  context: PageContext,
  { client, scopes, redirectUri, learnsRefusal, decisions }: Question,
): Html => html`
    <div class="asking">
      ${pictureOf(context, client)}
      <div>
        <p><strong>${client.name}</strong></p>
        <p class="quiet">${publisherOf(client)}</p>
        ${client.website && !isUnregistered(client.uid) ? html`<p class="quiet"><span class="code">${client.website}</span></p>` : ''}
      </div>
    </div>
    ${warningOf(client, redirectUri)}
    <p>${whatItWants(context, scopes)}</p>
    <ul>${scopes.filter((scope) => !isOptionalScope(scope)).map((scope) => html`<li>${scopeText(scope)}</li>`)}</ul>
    ${decisions}
    <p class="quiet">${nextStep(learnsRefusal, hostOf(redirectUri))}</p>`

function nextStep(learnsRefusal: boolean, name: string): Html {
  const host = html`<span class="code">${name}</span>`
  return learnsRefusal
    ? sayWith(
        'Either way you go on to {host}. It does not learn your password, and you can take back what you allow at any time.',
        { host },
      )
    : sayWith(
        'If you allow it, you go on to {host}. It does not learn your password, and you can take back what you allow at any time.',
        { host },
      )
}

const LOOPBACK_WARNING =
  'This is a program on your device, and any program there can use this name. Allow it only if you have just started it.'

const NAME_WARNING =
  'Any program can register under any name. Allow it only if you have just connected it and recognize the address below.'

function warningOf({ uid }: Client, redirectUri: string): Html | '' {
  if (!isUnregistered(uid)) return ''
  if (isLoopback(redirectUri)) return html`<p class="problem">${say(LOOPBACK_WARNING)}</p>`
  return isSelfRegistered(uid) ? html`<p class="problem">${say(NAME_WARNING)}</p>` : ''
}

const publisherOf = ({ uid, owner }: Client): Html | string =>
  unregisteredNote(uid) ??
  (owner
    ? say('Made by {name} ({login})', { name: owner.displayname, login: owner.login })
    : say('Registered by the staff of the school'))

export const consentTitle = (scopes: readonly string[], name: string): string =>
  isSigningInAlone(scopes) ? say('Sign in to {name}?', { name }) : say('Allow {name} to act for you?', { name })

function whatItWants({ person }: PageContext, scopes: readonly string[]): Html {
  const who = { person: html`<strong>${person?.displayname}</strong>`, login: person?.login ?? '' }
  return isSigningInAlone(scopes)
    ? sayWith('It wants to sign you in as {person} ({login}). It would:', who)
    : sayWith('It wants to use Campus Intranet as you, {person} ({login}). It could then:', who)
}

export function optionalScopes(scopes: readonly string[]): Html | '' {
  const choices = scopes.filter(isOptionalScope).map((value) => ({ value, label: scopeText(value) }))
  if (choices.length === 0) return ''
  return checkboxes(NOT_SENT, { name: 'scopes', label: say('And only if you tick it:'), choices, chosen: [] })
}

const NOT_SENT = { form: undefined, errors: {} }

/** Shows pictures of this service only, since another service would learn who is asked. Other clients get a letter. */
function pictureOf({ dependencies: { config } }: PageContext, { name, image }: Client): Html {
  const isSameOrigin = image !== null && URL.parse(image)?.origin === new URL(config.baseUrl).origin
  return isSameOrigin
    ? html`<img class="emblem" src="${image}" alt="" width="56" height="56">`
    : html`<span class="emblem" aria-hidden="true">${[...name][0]}</span>`
}

/**
 * Returns the host of a website. Shows an address with another scheme whole, since its maker can write any host in it.
 */
export const hostOf = (uri: string) => (/^https?:/i.test(uri) && URL.parse(uri)?.host) || uri

const TEXTS: Readonly<Record<Scope, () => string>> = {
  public: () => say('Read public data: people, campuses, cursus, projects, events'),
  projects: () => say('Read and write projects, teams, evaluations and their files'),
  profile: () => say('Read and write the person’s own profile: expertises, events, languages'),
  elearning: () => say('Read course material'),
  tig: () => say('Read and write closes and community services'),
  forum: () => say('Read and write forum topics and messages'),
  openid: () => say('Learn who you are, to sign you in'),
  email: () => say('Learn your e-mail address'),
  groups: () => say('Learn your campuses, cursus, coalitions and roles'),
  act: () => say('Let an assistant create, change and delete records where the person may'),
}

export function scopeText(scope: string): string {
  if (scope === PROFILE_CLAIMS) return say('Learn your name, login and picture')
  return isScope(scope) ? TEXTS[scope]() : scope
}
