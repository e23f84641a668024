import { type Html, html, say } from '@campus/intranet/pages/html'
import type { Example } from './examples.ts'
import type { Action } from './model.ts'
import { pathValues } from './samples/request.ts'

/** Renders the hidden form of the console with the values of the example. The script shows it and adds the parameters of the section. */
export function consoleForm(
  { anchor, operations }: Action,
  example: Example | undefined,
  { isOpen = false } = {},
): Html {
  const [path = '', query = ''] = (example?.path ?? operations[0].path).split('?')
  const values: Readonly<Record<string, string>> = Object.fromEntries(pathValues(operations[0].path, path))
  const names = [...new Set(operations.flatMap((operation) => parametersIn(operation.path)))]
  const hasQuery = operations.some((operation) => operation.parameters.some((one) => one.in === 'query'))
  const id = (name: string) => `try-${anchor}-${name}`
  const body = example?.body === undefined ? undefined : JSON.stringify(example.body, null, 2)
  return html`
      <details class="try" hidden${isOpen ? html` open` : ''}>
        <summary>${say('Try it')}</summary>
        <form autocomplete="off">
          ${
            operations.length > 1
              ? html`<div class="field"><label for="${id('operation')}">${say('Endpoint')}</label>
            <select id="${id('operation')}" name="operation">${operations.map(
              (operation) => html`
              <option>${operation.method} ${operation.path}</option>`,
            )}
            </select></div>`
              : html`<input type="hidden" name="operation" value="${operations[0].method} ${operations[0].path}">`
          }
          ${names.map(
            (name) => html`
          <div class="field" data-parameter="${name}"><label for="${id(name)}">${name}</label>
            <input id="${id(name)}" type="text" name="{${name}}" value="${values[name] ?? ''}" spellcheck="false"></div>`,
          )}
          ${
            hasQuery
              ? html`<div class="asked" data-query="${query}"></div>
          <div class="field"><label for="${id('add')}">${say('Ask for')}</label>
            <select id="${id('add')}" name="add"><option value="">${say('Choose a filter, order or page')}</option></select></div>`
              : ''
          }
          ${
            body === undefined
              ? ''
              : html`
          <div class="field"><label for="${id('body')}">${say('Payload (JSON)')}</label>
            <textarea id="${id('body')}" name="body" rows="${Math.min(16, body.split('\n').length)}" spellcheck="false">${body}</textarea></div>`
          }
          <p class="address"><code></code></p>
          <div class="actions"><button>${say('Send')}</button><span class="quiet sends-as"></span>
            ${operations[0].method === 'GET' ? '' : html`<span class="quiet">${say('This writes to this very service.')}</span>`}</div>
        </form>
        <div class="result" role="status"></div>
      </details>`
}

const parametersIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
