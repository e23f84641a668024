import { STATUS_CODES } from 'node:http'
import { type Html, html } from '../html.ts'
import { curlOf } from './curl.ts'
import type { Example } from './examples.ts'

/** A request as one would type it, and what it really answered. */
export const exampleOf = (example: Example): Html => html`
      <figure class="example">
        <figcaption>${example.status < 400 ? 'Example' : 'Refused'}</figcaption>
        <pre class="request" tabindex="0" aria-label="Example request"><code>${curlOf(example)}</code></pre>
        <pre class="response" tabindex="0" aria-label="Example response"><code>${responseOf(example)}</code></pre>
      </figure>`

function responseOf({ status, headers, answer }: Example): Html {
  const head = Object.entries(headers).map(([name, value]) => html`<span class="header">${name}:</span> ${value}\n`)
  const body = answer === undefined ? '' : `\n${JSON.stringify(answer, null, 2)}`
  return html`<strong class="status ${status < 400 ? 'good' : 'bad'}">${status} ${STATUS_CODES[status]}</strong>\n${head}${body}`
}
