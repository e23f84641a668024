/** What the pages cannot do alone: search as one types, and a console that calls this service. Nothing is stored. */

const CALLBACK = `${location.origin}/apidoc/callback`
const CHANNEL = 'campus-sign-in'

/** @type {{ value: string, endsAt: number } | undefined} */
let token

if (location.pathname === '/apidoc/callback') handBack()
else {
  startSearch()
  startNavigation()
  void startSignIn()
  preparePage()
}

/** Runs on every page that comes to be shown. */
function preparePage() {
  for (const details of all('.try', HTMLDetailsElement)) {
    details.hidden = false
    prepareConsole(details)
  }
}

/* Search */

function startSearch() {
  const form = one('.search', HTMLFormElement)
  const input = one('.search input', HTMLInputElement)
  const found = one('.found', HTMLElement)
  let latest = 0

  const hide = () => {
    found.hidden = true
  }
  input.addEventListener('input', async () => {
    latest += 1
    const mine = latest
    const text = input.value.trim()
    if (text === '') return hide()
    const answer = await fetch(`/apidoc/search?part&q=${encodeURIComponent(text)}`)
    const part = await answer.text()
    // A slow answer to what was typed before must not replace a later one.
    if (mine !== latest || !answer.ok) return
    found.replaceChildren(...new DOMParser().parseFromString(part, 'text/html').body.childNodes)
    found.hidden = false
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const links = [...found.querySelectorAll('a')]
    const at = links.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement))
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1
    if (links.length === 0) return
    event.preventDefault()
    if (next < 0) input.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  })
  form.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node && form.contains(event.relatedTarget))) hide()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    hide()
    void show(`/apidoc/search?q=${encodeURIComponent(input.value)}`, true)
  })
}

/* Going from page to page without losing the token */

function startNavigation() {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (
      !link ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      link.hasAttribute('download')
    )
      return
    if (link.origin !== location.origin || !/^\/apidoc(\/|$)/.test(link.pathname)) return
    one('.found', HTMLElement).hidden = true
    if (link.pathname === location.pathname && link.hash) return
    event.preventDefault()
    void show(link.href, true)
  })
  addEventListener('popstate', () => void show(location.href, false))
}

/**
 * @param {string} address
 * @param {boolean} isNew
 */
async function show(address, isNew) {
  const url = new URL(address, location.href)
  const answer = await fetch(url)
  if (!answer.headers.get('content-type')?.startsWith('text/html')) return location.assign(url)
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  for (const selector of ['main', '.side']) {
    const [now, next] = [document.querySelector(selector), page.querySelector(selector)]
    if (now && next) now.replaceWith(next)
  }
  document.title = page.title
  if (isNew) history.pushState(null, '', url)
  preparePage()
  const target = url.hash ? document.getElementById(url.hash.slice(1)) : null
  if (target) target.scrollIntoView()
  else scrollTo(0, 0)
  one('main', HTMLElement).focus({ preventScroll: true })
}

/* Signing in with the reader's own application */

async function startSignIn() {
  const details = one('.sign-in', HTMLDetailsElement)
  const form = one('.sign-in form', HTMLFormElement)
  details.hidden = false
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = event.submitter
    const values = new FormData(form)
    const isPerson = button instanceof HTMLButtonElement && button.value === 'authorization_code'
    try {
      keep(await (isPerson ? signInAsPerson(values) : askForToken({ grant_type: 'client_credentials' }, values)))
      details.open = false
    } catch (error) {
      forget(error instanceof Error ? error.message : String(error))
    }
  })
  one('.sign-in [name=forget]', HTMLButtonElement).addEventListener('click', () => {
    form.reset()
    forget('')
  })
  const metadata = await serverMetadata()
  if (!metadata.authorization_endpoint) return
  one('.sign-in [value=authorization_code]', HTMLButtonElement).hidden = false
  one('.web-flow', HTMLElement).hidden = false
  one('.web-flow code', HTMLElement).textContent = CALLBACK
}

/** @returns {Promise<{ authorization_endpoint?: string }>} */
async function serverMetadata() {
  const answer = await fetch('/.well-known/oauth-authorization-server')
  return answer.ok ? answer.json() : {}
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
 * The authorization code flow with PKCE (RFC 7636), in a window of its own, so that this page keeps its memory.
 * @param {FormData} values
 */
async function signInAsPerson(values) {
  const opened = open('about:blank', 'campus-sign-in', 'popup,width=520,height=720')
  const { authorization_endpoint: endpoint } = await serverMetadata()
  if (!endpoint) throw new Error('This service does not offer the web flow.')
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
  // The page may be read at another of the service's names than the one that it calls itself by.
  const { pathname } = new URL(endpoint)
  if (!opened) throw new Error('The browser did not open a window; allow this page to open one.')
  const answered = answerOf(state, opened)
  opened.location.href = `${location.origin}${pathname}?${query}`
  const answer = await answered
  const code = answer.get('code')
  if (!code) throw new Error(answer.get('error_description') ?? answer.get('error') ?? 'The sign-in was not completed.')
  return askForToken(
    { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, code_verifier: verifier },
    values,
  )
}

/**
 * What the window comes back with; another window's answer has another state.
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
      // The window closes itself once it has answered: what it said may be on its way for one more look.
      if (wasClosed) {
        stop()
        reject(new Error('The window was closed before the sign-in was completed.'))
      }
      wasClosed = opened.closed
    }, 500)
  })
}

/** In the window that the sign-in comes back to. */
function handBack() {
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

/** @param {{ access_token: string, expires_in: number, scope: string }} answer */
function keep({ access_token, expires_in, scope }) {
  token = { value: access_token, endsAt: Date.now() + expires_in * 1000 }
  const until = new Date(token.endsAt).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  say(`Signed in (${scope}) until ${until}`, false)
}

/** @param {string} reason */
function forget(reason) {
  token = undefined
  say(reason, reason !== '')
}

/**
 * @param {string} text
 * @param {boolean} isProblem
 */
function say(text, isProblem) {
  const place = one('.signed-in', HTMLElement)
  place.textContent = text
  place.classList.toggle('problem', isProblem)
  one('.sign-in summary', HTMLElement).textContent = token ? 'Signed in' : 'Sign in to try it'
  one('.sign-in [name=forget]', HTMLButtonElement).hidden = !token
}

/* Trying an endpoint */

/** @param {HTMLDetailsElement} details */
function prepareConsole(details) {
  const form = /** @type {HTMLFormElement} */ (details.querySelector('form'))
  const operation = /** @type {HTMLSelectElement} */ (form.elements.namedItem('operation'))
  const query = /** @type {HTMLInputElement | null} */ (form.elements.namedItem('query'))
  const add = /** @type {HTMLSelectElement | null} */ (form.elements.namedItem('add'))

  const showParameters = () => {
    for (const field of form.querySelectorAll('[data-parameter]')) {
      if (field instanceof HTMLElement) field.hidden = !operation.value.includes(`{${field.dataset.parameter}}`)
    }
  }
  operation.addEventListener('change', showParameters)
  showParameters()

  add?.addEventListener('change', () => {
    if (!query || add.value === '') return
    query.value += `${query.value === '' ? '' : '&'}${add.value}=`
    add.value = ''
    query.focus()
  })

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const result = /** @type {HTMLElement} */ (details.querySelector('.result'))
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('button'))
    button.disabled = true
    try {
      result.replaceChildren(...(await send(form)))
    } catch (error) {
      result.replaceChildren(
        element('p', 'problem', `Nothing was answered: ${error instanceof Error ? error.message : error}`),
      )
    }
    button.disabled = false
  })
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const values = new FormData(form)
  const [method = 'GET', pattern = ''] = String(values.get('operation')).split(' ')
  const path = pattern.replace(/\{\w+\}/g, (name) => encodeURIComponent(String(values.get(name) ?? '').trim()))
  const query = String(values.get('query') ?? '')
    .trim()
    .replace(/^\?/, '')
  const body = method === 'GET' || method === 'DELETE' ? undefined : (values.get('body') ?? undefined)
  const address = path + (query === '' ? '' : `?${query}`)
  const answer = await fetch(address, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token.value}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: String(body) }),
  })
  const text = await answer.text()
  const head = element('p', '', '')
  head.append(
    element('strong', `status ${answer.ok ? 'good' : 'bad'}`, `${answer.status} ${answer.statusText}`.trim()),
    ` ${method} ${address}`,
  )
  const headers = SHOWN.flatMap((name) => (answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : []))
  const shown = element('pre', 'response', '')
  shown.tabIndex = 0
  shown.setAttribute('aria-label', 'Answer')
  shown.append(element('code', '', `${headers.join('\n')}\n\n${pretty(text)}`.trim()))
  const hint = answer.status === 401 && !token ? [element('p', 'quiet', 'Sign in above, then send it again.')] : []
  return [head, ...hint, shown]
}

const SHOWN = [
  ...['X-Total', 'X-Page', 'X-Per-Page', 'Link', 'Location', 'ETag', 'Retry-After', 'X-Runtime', 'X-Request-Id'],
  ...['X-Secondly-RateLimit-Remaining', 'X-Hourly-RateLimit-Remaining'],
]

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/* Small things */

/**
 * @param {string} name
 * @param {string} classes
 * @param {string} text
 */
function element(name, classes, text) {
  const made = document.createElement(name)
  if (classes) made.className = classes
  made.textContent = text
  return made
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T}
 */
function one(selector, kind) {
  const found = document.querySelector(selector)
  if (!(found instanceof kind)) throw new Error(`there is no ${selector}`)
  return found
}

/**
 * @template {Element} T
 * @param {string} selector
 * @param {new () => T} kind
 * @returns {T[]}
 */
function all(selector, kind) {
  return [...document.querySelectorAll(selector)].flatMap((found) => (found instanceof kind ? [found] : []))
}
