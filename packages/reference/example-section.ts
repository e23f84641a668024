import { STATUS_CODES } from 'node:http'
import { mapped, type Slices } from '@campus/engine/base/slices'
import { type Html, html, say } from '@campus/intranet/pages/html'
import { code } from './code.ts'
import type { Example } from './examples.ts'
import { highlighted } from './highlight.ts'
import type { Operation, Reference } from './model.ts'
import { curlOf } from './samples/curl.ts'
import { SAMPLES } from './samples/samples.ts'

/** Renders a request in each language and its answer. Refused requests are folded. */
export function* exampleOf(reference: Reference, operation: Operation, example: Example, name: string): Slices<Html> {
  if (example.status >= 400)
    return html`
      <details class="example refused"><summary>${say('Refused: {status}', { status: String(example.status) })}</summary>
        ${code(curlOf(example), 'bash', say('Request'))}
        ${response(example)}
      </details>`
  const request = { ...example, operation, resolve: reference.resolve }
  // The highlighter compiles each language when it is first used, which takes time.
  const samples = yield* mapped(SAMPLES, ({ label, language, write }) => ({
    label,
    text: highlighted(write(request), language),
  }))
  return html`
      <div class="example">
        <fieldset class="samples snippet"><legend>${say('Request in')}</legend>
          ${SAMPLES.map(
            (sample, at) =>
              html`<input type="radio" name="${name}" id="${name}-${sample.name}" value="${sample.name}"${at === 0 ? html` checked` : ''}><label for="${name}-${sample.name}">${sample.label}</label>`,
          )}
          ${samples.map(({ label, text }) => html`<pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>`)}
        </fieldset>
        ${response(example)}
      </div>`
}

function response({ status, headers, answer }: Example): Html {
  const head = Object.entries(headers).map(([name, value]) => html`<span class="c">${name}:</span> ${value}\n`)
  return html`
        <div class="snippet response"><p class="snippet-title"><strong class="status ${status < 400 ? 'good' : 'bad'}">${status} ${STATUS_CODES[status]}</strong></p>
          ${answer === undefined ? '' : html`<pre tabindex="0" aria-label="${say('Response')}"><code>${highlighted(JSON.stringify(answer, null, 2), 'json')}</code></pre>`}
          ${head.length > 0 ? html`<details class="more"><summary>${say('Headers')}</summary><pre class="headers" tabindex="0" aria-label="${say('Headers')}"><code>${head}</code></pre></details>` : ''}
        </div>`
}
