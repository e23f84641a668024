import type { ApiAnswer } from './ask.ts'
import { type Html, html, say } from './html.ts'
import { hasReference } from './reference-link.ts'

const MAX_CHARACTERS = 6_000

export const apiPreview = (...answers: readonly ApiAnswer<unknown>[]): Html => html`
  <details class="api"><summary>${say('As the API says it')}</summary>
    <p class="quiet">${say('Of each list the first record is shown. A token is asked for with every call: see the reference.')}
      ${hasReference() ? html`<a href="/apidoc">${say('API reference')}</a>` : ''}</p>
    ${answers.map(
      ({ address, value }) => html`
    <h3 class="code">GET ${address}</h3>
    <pre class="card" tabindex="0">${textOf(value)}</pre>`,
    )}
  </details>`

function textOf(value: unknown): string {
  const text = JSON.stringify(shortened(value), null, 2)
  return text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}\n…` : text
}

/** Keeps the first element of each list, and the number of the others. */
export function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const [first, ...others] = value
    if (value.length === 0) return []
    return [shortened(first), ...(others.length > 0 ? [`… ${others.length} more`] : [])]
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]))
}
