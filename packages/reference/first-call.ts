import { type Html, html, say } from '@campus/intranet/pages/html'
import { consoleForm } from './console-form.ts'
import type { Reference } from './model.ts'

/** Renders the console with a call that any token may make. */
export function firstCall({ resources }: Reference): Html {
  const action = resources.find(({ name }) => name === 'campus')?.actions.find(({ anchor }) => anchor === 'list')
  if (!action) return html``
  const [operation] = action.operations
  return html`<section class="snippet first-call" aria-labelledby="first-call"><h2 id="first-call" class="snippet-title">${say('Your first call')}</h2>
      <ol>
        <li><a href="/applications/new">${say('Register an application')}</a></li>
        <li><a href="/apidoc/guides/getting-a-token">${say('Get a token for it')}</a></li>
        <li>${say('Send a request, from here or from your program:')}</li>
      </ol>
      ${consoleForm({ ...action, anchor: 'first-call', operations: [operation] }, undefined, { isOpen: true })}
    </section>`
}
