/** Search while typing, buttons that copy, and the console. */

import { askedQuery, prepareAsking } from './asking.js'
import { element, one, word } from './small.js'
import { currentToken, forgetToken, passAnswerBack, prepareSender } from './token.js'

if (location.pathname === '/apidoc/callback') passAnswerBack()
else {
  startSearch()
  startCopying()
  startLanguages()
  for (const details of document.querySelectorAll('details.try'))
    if (details instanceof HTMLDetailsElement) prepareConsole(details)
  showTarget()
  addEventListener('hashchange', showTarget)
  void prepareSender(showSender)
  closeSenderOutside()
}

function startSearch() {
  const form = one('.tools .search', HTMLFormElement)
  const input = one('.tools .search input', HTMLInputElement)
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
    // An answer to an earlier text must not replace a later answer.
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
  found.addEventListener('click', hide)
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** Opens the folded parts around the target of the address. */
function showTarget() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)))
  if (!target) return
  for (let part = target.closest('details'); part; part = part.parentElement?.closest('details') ?? null)
    part.open = true
  target.scrollIntoView()
}

function closeSenderOutside() {
  const details = one('details.sender', HTMLDetailsElement)
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !details.contains(target) && target.isConnected) details.open = false
  })
  details.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') details.open = false
  })
}

function startCopying() {
  for (const box of document.querySelectorAll('.snippet:has(pre)')) {
    const button = element('button', 'copy second', word('copy'))
    button.setAttribute('type', 'button')
    box.append(button)
  }
  document.addEventListener('click', async (event) => {
    const button = event.target instanceof Element ? event.target.closest('button.copy') : null
    if (!button) return
    const shown = [...(button.parentElement?.querySelectorAll('pre') ?? [])].find((pre) => pre.offsetParent !== null)
    await navigator.clipboard.writeText(shown?.textContent ?? '')
    button.textContent = word('copied')
    setTimeout(() => {
      button.textContent = word('copy')
    }, 1500)
  })
}

/** Keeps the chosen language of examples for all pages. */
function startLanguages() {
  const choose = (/** @type {string} */ language) => {
    for (const radio of document.querySelectorAll('.samples input'))
      if (radio instanceof HTMLInputElement && radio.value === language) radio.checked = true
  }
  const chosen = localStorage.getItem('campus-language')
  if (chosen) choose(chosen)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement && target.closest('.samples'))) return
    const before = target.getBoundingClientRect().top
    choose(target.value)
    // Examples above have changed their height, so scroll to keep the clicked label in place.
    scrollBy(0, target.getBoundingClientRect().top - before)
    localStorage.setItem('campus-language', target.value)
  })
}

/** @param {HTMLDetailsElement} details */
function prepareConsole(details) {
  details.hidden = false
  const form = /** @type {HTMLFormElement} */ (details.querySelector('form'))
  const result = /** @type {HTMLElement} */ (details.querySelector('.result'))
  let isPrepared = false
  const prepare = () => {
    if (isPrepared || !details.open) return
    isPrepared = true
    prepareAsking(form, details.closest('section.action'))
    showAddress(form)
  }
  details.addEventListener('toggle', prepare)
  prepare()
  form.addEventListener('input', () => showAddress(form))
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const button = /** @type {HTMLButtonElement} */ (form.querySelector('.actions button'))
    button.disabled = true
    try {
      result.replaceChildren(...(await send(form)))
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      result.replaceChildren(element('p', 'problem', `${word('noAnswer')} ${reason}`))
    }
    button.disabled = false
  })
}

/** @param {string} name */
function showSender(name) {
  for (const place of document.querySelectorAll('.sends-as')) place.textContent = name
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  const values = new FormData(form)
  const [method = 'GET', pattern = ''] = String(values.get('operation')).split(' ')
  for (const field of form.querySelectorAll('[data-parameter]'))
    if (field instanceof HTMLElement) field.hidden = !pattern.includes(`{${field.dataset.parameter}}`)
  const path = pattern.replace(/\{\w+\}/g, (name) => encodeURIComponent(String(values.get(name) ?? '').trim()))
  const query = askedQuery(form)
  const body = method === 'GET' ? undefined : (values.get('body') ?? undefined)
  return { method, address: path + (query === '' ? '' : `?${query}`), body }
}

/** @param {HTMLFormElement} form */
function showAddress(form) {
  const { method, address } = requestOf(form)
  const place = form.querySelector('.address code')
  if (place) place.textContent = `${method} ${decodeURIComponent(address)}`
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const { method, address, body } = requestOf(form)
  const token = await currentToken()
  const answer = await fetch(address, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: String(body) }),
    credentials: 'omit', // Only the token authenticates.
  })
  const text = await answer.text()
  if (answer.status === 401 && token) forgetToken()
  const head = element('p', '', '')
  head.append(
    element('strong', `status ${answer.ok ? 'good' : 'bad'}`, `${answer.status} ${answer.statusText}`.trim()),
    ` ${method} ${address}`,
  )
  const headers = SHOWN.flatMap((name) => (answer.headers.has(name) ? [`${name}: ${answer.headers.get(name)}`] : []))
  const shown = element('pre', 'response', '')
  shown.tabIndex = 0
  shown.setAttribute('aria-label', word('answer'))
  shown.append(element('code', '', `${headers.join('\n')}\n\n${pretty(text)}`.trim()))
  if (answer.status !== 401 || token) return [head, shown]
  one('details.sender', HTMLDetailsElement).open = true
  return [head, element('p', 'quiet', word('noToken')), shown]
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
