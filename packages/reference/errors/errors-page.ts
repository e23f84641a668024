import { html, say } from '@campus/intranet/pages/html'
import { code } from '../code.ts'
import type { ReferencePage } from '../layout.ts'
import { markdownHtml } from '../markdown-html.ts'
import { KNOWN_ERRORS } from './known-errors.ts'

export const ERRORS_IN_GENERAL = `
Refusals are JSON with \`error\`, one of the words below, and \`message\`, a sentence for people that says what is wrong and what would be
right. A 422 has \`errors\` (field → texts) too. At the OAuth endpoints the sentence is \`error_description\`. The header \`Link\` with
\`rel="help"\` leads to the part of this reference, and \`X-Request-Id\` is what to send to the people who run the service.

Go by the status and by \`error\`; sentences may change. In JSON:API's form the same stands in \`errors\`, each with \`status\`, \`title\`
and \`detail\`.
`.trim()

export const ERROR_EXAMPLE = `{
  "error": "Unprocessable Entity",
  "message": "host can't be blank; hots is not accepted; did you mean \\"host\\"?",
  "errors": {
    "host": ["can't be blank"],
    "hots": ["is not accepted; did you mean \\"host\\"?"]
  }
}`

/** /apidoc/errors */
export const errorsPage = (): ReferencePage => ({
  title: say('Errors'),
  markdown: '/apidoc/errors.md',
  summary: 'Each status and error, what it means, and what to do.',
  aside: code(ERROR_EXAMPLE, 'json', say('A refusal')),
  main: html`<section class="prose">
      ${markdownHtml(ERRORS_IN_GENERAL)}
      <dl class="fields errors">${KNOWN_ERRORS.map(
        ({ anchor, status, error, meaning, remedy }) => html`
        <div id="${anchor}"><dt><span class="status bad">${status}</span> <code>${error}</code> <a class="anchor" href="#${anchor}" aria-label="${say('Link to this error')}">#</a></dt>
          <dd>${markdownHtml(meaning)}${markdownHtml(`**Do:** ${remedy}`)}</dd></div>`,
      )}
      </dl></section>`,
})
