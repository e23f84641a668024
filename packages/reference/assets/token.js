/**
 * The sender of console requests: an application of the signed-in user, or any application by its credentials. The token is
 * kept in the session storage of the tab. Ids and secrets are not stored.
 */

import { maybe, one, word } from './small.js'

const CALLBACK = `${location.origin}/apidoc/callback`
const CHANNEL = 'campus-sign-in'
const TOKEN = 'campus-token'
const CHOICE = 'campus-sender'

/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }

/** @typedef {{ value: string, endsAt: number, sender: string, name: string, login: string }} Token */

/** @type {(name: string) => void} */
let onSender = () => {}

/**
 * Loads the bar and the form of the signed-in user into the page.
 * @param {(name: string) => void} showSender called when the sender changes
 */
export async function prepareSender(showSender) {
  onSender = showSender
  const details = maybe('details.sender', HTMLDetailsElement)
  const showMenus = () => document.body.classList.add('knows-reader')
  if (!details) return showMenus()
  details.hidden = false
  const answer = await fetch(`/apidoc/console?at=${encodeURIComponent(location.pathname)}`).finally(showMenus)
  if (!answer.ok) return
  const parts = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const [bar, choice] = [parts.querySelector('header'), parts.querySelector('.choice-of-sender')]
  if (bar) document.querySelector('body > header')?.replaceWith(bar)
  if (choice) one('.sender-choice', HTMLElement).replaceChildren(choice)
  // The token may be of another user who was signed in.
  const stored = storedToken()
  if (stored?.login && stored.login !== signedInAs()) forgetToken()
  const own = ownForm()
  if (own) restoreChoice(own)
  own?.addEventListener('change', () => {
    sessionStorage.setItem(CHOICE, chosenSender(own))
    forgetToken()
  })
  maybe('.with-credentials', HTMLFormElement)?.addEventListener('submit', (event) => void signIn(event))
  maybe('.forget', HTMLButtonElement)?.addEventListener('click', () => forgetToken())
  const callback = maybe('.callback', HTMLElement)
  if (callback) callback.textContent = CALLBACK
  show()
}

const ownForm = () => maybe('form.own', HTMLFormElement)
const signedInAs = () => maybe('.choice-of-sender', HTMLElement)?.dataset.login ?? ''

/** @param {HTMLFormElement} own */
const chosenSender = (own) => `${new FormData(own).get('application')} ${new FormData(own).get('as')}`

/** @param {HTMLFormElement} own */
function restoreChoice(own) {
  const [application = '', as = ''] = (sessionStorage.getItem(CHOICE) ?? '').split(' ')
  const select = own.elements.namedItem('application')
  if (select instanceof HTMLSelectElement && [...select.options].some(({ value }) => value === application))
    select.value = application
  for (const radio of own.querySelectorAll('[name=as]'))
    if (radio instanceof HTMLInputElement && radio.value === as) radio.checked = true
}

/** @returns {Token | undefined} */
function storedToken() {
  const text = sessionStorage.getItem(TOKEN)
  if (!text) return undefined
  /** @type {Token} */
  const token = JSON.parse(text)
  return token.endsAt > Date.now() + 10_000 ? token : undefined
}

function senderName() {
  const token = storedToken()
  if (token) return token.name
  const own = ownForm()
  const select = own?.elements.namedItem('application')
  if (!own || !(select instanceof HTMLSelectElement)) return ''
  const application = select.selectedOptions[0]?.textContent ?? ''
  return new FormData(own).get('as') === 'person' ? `${signedInAs()} · ${application}` : application
}

/**
 * Returns the stored token, or a new token of the chosen application. Returns undefined if no application is chosen.
 * @returns {Promise<string | undefined>}
 */
export async function currentToken() {
  const stored = storedToken()
  if (stored) return stored.value
  const own = ownForm()
  if (!own) return undefined
  const sender = chosenSender(own)
  const name = senderName()
  const answer = await fetch(own.action, {
    method: 'POST',
    body: new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(own)])),
  })
  if (!answer.ok || !answer.headers.get('content-type')?.startsWith('application/json'))
    throw new Error(word('signedOut'))
  return keep(await answer.json(), { sender, name, login: signedInAs() })
}

/**
 * @param {{ access_token: string, expires_in: number, scope: string }} answer
 * @param {Pick<Token, 'sender' | 'name' | 'login'>} of
 */
function keep({ access_token: value, expires_in, scope }, of) {
  const endsAt = Date.now() + expires_in * 1000
  sessionStorage.setItem(TOKEN, JSON.stringify({ value, endsAt, ...of, name: of.name || scope }))
  show()
  return value
}

/** @param {string} reason */
export function forgetToken(reason = '') {
  sessionStorage.removeItem(TOKEN)
  show(reason)
}

/** @param {string} problem */
function show(problem = '') {
  const token = storedToken()
  const name = senderName()
  onSender(name)
  const summary = maybe('details.sender > summary', HTMLElement)
  if (summary) summary.textContent = name === '' ? word('console') : `${word('console')}: ${name}`
  const place = maybe('.signed-in', HTMLElement)
  if (place) {
    const time = token && new Date(token.endsAt).toLocaleTimeString([], TIME)
    place.textContent = problem || (token ? `${token.name} ${word('until')} ${time}` : '')
    place.classList.toggle('problem', problem !== '')
  }
  const forget = maybe('.forget', HTMLButtonElement)
  if (forget) forget.hidden = !token
}

/** @param {SubmitEvent} event */
async function signIn(event) {
  event.preventDefault()
  const values = new FormData(/** @type {HTMLFormElement} */ (event.target))
  const isPerson = event.submitter instanceof HTMLButtonElement && event.submitter.value === 'authorization_code'
  try {
    const answer = await (isPerson ? signInAsPerson(values) : askForToken({ grant_type: 'client_credentials' }, values))
    keep(answer, { sender: '', name: '', login: '' })
    one('details.sender', HTMLDetailsElement).open = false
  } catch (error) {
    forgetToken(error instanceof Error ? error.message : String(error))
  }
}

/**
 * @param {Record<string, string>} grant
 * @param {FormData} values
 * @returns {Promise<{ access_token: string, expires_in: number, scope: string }>}
 */
async function askForToken(grant, values) {
  const body = new URLSearchParams(grant)
  for (const name of ['client_id', 'client_secret', ...(grant.code ? [] : ['scope'])]) {
    const value = String(values.get(name) ?? '').trim()
    if (value !== '') body.set(name, value)
  }
  const answer = await fetch('/oauth/token', { method: 'POST', body })
  const json = await answer.json()
  if (!answer.ok) throw new Error(json.error_description ?? json.message ?? json.error)
  return json
}

/**
 * Runs the authorization code flow with PKCE (RFC 7636) in another window, so that this page keeps its input.
 * @param {FormData} values
 */
async function signInAsPerson(values) {
  const opened = open('about:blank', 'campus-sign-in', 'popup,width=520,height=720')
  const metadata = await fetch('/.well-known/oauth-authorization-server')
  const endpoint = metadata.ok ? (await metadata.json()).authorization_endpoint : undefined
  if (!endpoint) throw new Error(word('noWebFlow'))
  const [verifier, state] = [randomText(), randomText()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: String(values.get('client_id')).trim(),
    redirect_uri: CALLBACK,
    scope: String(values.get('scope')).trim(),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  })
  // The endpoint may have another host name of the service than this page.
  const { pathname } = new URL(endpoint)
  if (!opened) throw new Error(word('noWindow'))
  const answered = answerOf(state, opened)
  opened.location.href = `${location.origin}${pathname}?${query}`
  const answer = await answered
  const code = answer.get('code')
  if (!code) throw new Error(answer.get('error_description') ?? answer.get('error') ?? word('notCompleted'))
  return askForToken(
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
    values,
  )
}

/**
 * Waits for the answer with this state.
 * @param {string} state
 * @param {Window} opened
 * @returns {Promise<URLSearchParams>}
 */
function answerOf(state, opened) {
  return new Promise((resolve, reject) => {
    const channel = new BroadcastChannel(CHANNEL)
    const stop = () => {
      channel.close()
      clearInterval(looking)
    }
    channel.addEventListener('message', ({ data }) => {
      const answer = new URLSearchParams(data)
      if (answer.get('state') !== state) return
      stop()
      resolve(answer)
    })
    let wasClosed = false
    const looking = setInterval(() => {
      // The window closes itself after it has answered, and the answer may arrive later.
      if (wasClosed) {
        stop()
        reject(new Error(word('closed')))
      }
      wasClosed = opened.closed
    }, 500)
  })
}

/** Passes the answer of the sign-in to the page that opened this window. */
export function passAnswerBack() {
  new BroadcastChannel(CHANNEL).postMessage(location.search)
  history.replaceState(null, '', CALLBACK)
  close()
}

const randomText = () => base64url(crypto.getRandomValues(new Uint8Array(32)))

/** @param {Uint8Array} bytes */
const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
