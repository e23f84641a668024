import type { Slices } from '@campus/engine/base/slices'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { type Html, html, say } from '@campus/intranet/pages/html'
import { consoleForm } from './console-form.ts'
import { exampleOf } from './example-section.ts'
import type { Example } from './examples.ts'
import type { Action, Operation, Reference } from './model.ts'
import { parameterSections, pathParameters } from './parameters.ts'
import { prose } from './prose.ts'
import { fieldList, typeOf } from './schemas.ts'

/** Renders an action below its folded title: paths, parameters and answers, with examples and the console. */
export function* actionSection(
  reference: Reference,
  action: Action,
  { examples, isOpen }: { readonly examples: readonly Example[]; readonly isOpen: boolean },
): Slices<Html> {
  const [first] = action.operations
  yield
  const shown: Html[] = []
  for (const [at, example] of examples.entries())
    shown.push(yield* exampleOf(reference, first, example, `in-${action.anchor}-${at}`))
  return html`
    <details class="endpoint"${isOpen ? html` open` : ''}>
    <summary><h2 id="${action.anchor}-title">${action.title}</h2> ${methodOf(first.method)} <code class="path">${broken(first.path)}</code></summary>
    <section class="action" id="${action.anchor}" aria-labelledby="${action.anchor}-title">
      <div class="prose">
      ${forms(reference, action)}
      ${first.payload ? payloadSection(reference, first.payload) : ''}
      ${parameterSections(reference, action)}
      ${answerSection(reference, first)}
      </div>
      <div class="aside"><div class="stays">
      ${shown}
      ${consoleForm(action, examples[0])}
      </div></div>
    </section>
    </details>`
}

/** Renders the first path, and the others folded. */
function forms(reference: Reference, { operations }: Action): Html {
  const [first, ...others] = byPath(operations)
  return html`
      <ul class="forms">${first ? formOf(first) : ''}</ul>
      ${
        others.length > 0
          ? html`<details class="more"><summary>${say('{count, plural, one {# other path} other {# other paths}}', { count: others.length })}</summary>
        <ul class="forms">${others.map(formOf)}</ul>
        ${pathParameters(reference, parametersOfOthers(operations))}</details>`
          : ''
      }`
}

/** Returns the parameters that the first path does not have. */
function parametersOfOthers([first, ...others]: Action['operations']) {
  const known = new Set(first.parameters.map(({ name }) => name))
  return others.flatMap(({ parameters }) => parameters.filter(({ name }) => !known.has(name)))
}

type Form = Pick<Operation, 'path' | 'access' | 'description'> & { readonly methods: readonly string[] }

const formOf = ({ methods, path, access, description }: Form): Html => html`
        <li>${methods.map((method) => html`${methodOf(method)} `)}<code class="path">${broken(path)}</code>
          <span class="access">needs ${access}</span>
          ${noteOf(description, access)}</li>`

export const methodOf = (method: string): Html => html`<span class="method ${method.toLowerCase()}">${method}</span>`

/** Joins operations with the same path. */
function byPath(operations: readonly Operation[]): readonly Form[] {
  const lines = new Map<string, Form>()
  for (const { method, path, access, description } of operations) {
    const line = lines.get(path) ?? { methods: [], path, access, description }
    lines.set(path, { ...line, methods: [...line.methods, method] })
  }
  return [...lines.values()]
}

/** Lets a path break at its slashes. */
const broken = (path: string): Html =>
  html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`))}`

/** Renders the description without its sentence on the access, which is shown already. */
function noteOf(description: string, access: string): Html | '' {
  const rest = description.replace(`Needs ${access}.`, '').trim()
  return rest ? html`<span class="quiet">${prose(rest)}</span>` : ''
}

const payloadSection = (reference: Reference, payload: JsonSchema): Html => html`
      <h3>${say('Payload')}</h3>
      ${fieldList(reference, reference.resolve(payload), { requiredMatters: true, isOpen: true })}`

function answerSection(reference: Reference, { answers }: Operation): Html {
  const successes = answers.filter(({ status }) => status < 300)
  const refusals = answers.filter(({ status }) => status >= 300)
  return html`
      <h3>${say('Answers')}</h3>
      <dl class="fields statuses">${successes.map(
        ({ status, description, schema }) => html`
        <div><dt><span class="status good">${status}</span></dt><dd>${description}${schema ? html` JSON: ${typeOf(reference, schema)}.` : ''}</dd></div>`,
      )}
      </dl>
      <details class="more"><summary>${say('Otherwise: {statuses}', { statuses: refusals.map(({ status }) => status).join(', ') })}</summary>
        <dl class="fields statuses">${refusals.map(
          ({ status, description }) => html`
          <div><dt>${status < 400 ? html`<span class="status">${status}</span>` : html`<a class="status" href="/apidoc/errors#${status}">${status}</a>`}</dt><dd>${prose(description)}</dd></div>`,
        )}
        </dl>
      </details>`
}
