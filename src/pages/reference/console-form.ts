import { type Html, html } from '../html.ts'
import type { Example } from './examples.ts'
import type { Action } from './model.ts'

/** The form of the console, filled in as the example was; the script shows it and sends it. */
export function consoleForm({ anchor, operations }: Action, example: Example | undefined): Html {
  const [path = '', query = ''] = (example?.path ?? operations[0].path).split('?')
  const values = valuesOf(operations[0].path, path)
  const names = [...new Set(operations.flatMap((operation) => parametersIn(operation.path)))]
  const parameters = operations[0].parameters.filter((one) => one.in === 'query')
  const id = (name: string) => `try-${anchor}-${name}`
  const body = example?.body === undefined ? undefined : JSON.stringify(example.body, null, 2)
  return html`
      <details class="try" hidden>
        <summary>Try it</summary>
        <form class="card" autocomplete="off">
          <div class="field"><label for="${id('operation')}">Endpoint</label>
            <select id="${id('operation')}" name="operation">${operations.map(
              (operation) => html`
              <option value="${operation.method} ${operation.path}">${operation.method} ${operation.path}</option>`,
            )}
            </select></div>
          ${names.map(
            (name) => html`
          <div class="field" data-parameter="${name}"><label for="${id(name)}">${name}</label>
            <input id="${id(name)}" type="text" name="{${name}}" value="${values[name] ?? ''}" spellcheck="false"></div>`,
          )}
          ${
            parameters.length > 0
              ? html`
          <div class="field"><label for="${id('query')}">Parameters</label>
            <input id="${id('query')}" type="text" name="query" value="${query}" spellcheck="false" placeholder="name=value&amp;name=value"></div>
          <div class="field"><label for="${id('add')}">Add a parameter</label>
            <select id="${id('add')}" name="add"><option value="">Choose one</option>${parameters.map(
              ({ name }) => html`
              <option>${name}</option>`,
            )}
            </select></div>`
              : ''
          }
          ${
            body === undefined
              ? ''
              : html`
          <div class="field"><label for="${id('body')}">Payload (JSON)</label>
            <textarea id="${id('body')}" name="body" rows="${Math.min(16, body.split('\n').length)}" spellcheck="false">${body}</textarea></div>`
          }
          <div class="actions"><button>Send</button><span class="quiet">${operations[0].method === 'GET' ? '' : 'This writes to this very service.'}</span></div>
        </form>
        <div class="result" role="status"></div>
      </details>`
}

const parametersIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** What stands in the example's path for each parameter. */
function valuesOf(pattern: string, path: string): Readonly<Record<string, string>> {
  const given = path.split('/')
  return Object.fromEntries(
    pattern
      .split('/')
      .flatMap((part, index) => (part.startsWith('{') ? [[part.slice(1, -1), given[index] ?? '']] : [])),
  )
}
