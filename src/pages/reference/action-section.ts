import type { JsonSchema } from '../../rest/declare/fields/kinds.ts'
import { OF_EVERY_FIELD } from '../../rest/openapi/list-parameters.ts'
import { type Html, html } from '../html.ts'
import { consoleForm } from './console-form.ts'
import { exampleOf } from './example-section.ts'
import type { Example } from './examples.ts'
import type { Action, Operation, Parameter, Reference } from './model.ts'
import { prose } from './prose.ts'
import { fieldList, typeOf } from './schemas.ts'

/** Everything about one action: where, by whom, with what, and what comes back. */
export function actionSection(reference: Reference, action: Action, examples: readonly Example[]): Html {
  const [first] = action.operations
  return html`
    <section class="action" id="${action.anchor}" aria-labelledby="${action.anchor}-title">
      <h2 id="${action.anchor}-title">${action.title} <a class="anchor" href="#${action.anchor}" aria-label="Link to this action">#</a></h2>
      ${forms(action)}
      ${parameterSections(reference, action)}
      ${first.payload ? payloadSection(reference, first.payload) : ''}
      ${answerSection(reference, first)}
      ${examples.map((example) => exampleOf(example))}
      ${consoleForm(action, examples[0])}
    </section>`
}

const forms = ({ operations }: Action): Html => html`
      <ul class="forms">${byPath(operations).map(
        ({ methods, path, access, description }) => html`
        <li>${methods.map((method) => html`<span class="method ${method.toLowerCase()}">${method}</span> `)}<code class="path">${broken(path)}</code>
          <span class="access">${access}</span>
          ${remarkOf(description, access)}</li>`,
      )}
      </ul>`

/** The same path with two methods is one line. */
function byPath(operations: readonly Operation[]) {
  const lines = new Map<string, { methods: string[]; path: string; access: string; description: string }>()
  for (const { method, path, access, description } of operations) {
    const line = lines.get(path) ?? { methods: [], path, access, description }
    lines.set(path, { ...line, methods: [...line.methods, method] })
  }
  return [...lines.values()]
}

/** A long path breaks at its slashes. */
const broken = (path: string): Html =>
  html`${path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`))}`

/** What the description says beside the access, which is shown already. */
function remarkOf(description: string, access: string): Html | '' {
  const rest = description.replace(`Needs ${access}.`, '').trim()
  return rest ? html`<span class="quiet">${prose(rest)}</span>` : ''
}

function parameterSections(reference: Reference, { operations }: Action): Html {
  const all = uniqueBy(operations.flatMap(({ parameters }) => parameters))
  const path = all.filter((one) => one.in === 'path')
  const headers = all.filter((one) => one.in === 'header')
  const query = all.filter((one) => one.in === 'query')
  const isPaging = ({ name }: Parameter) => /^(page|per_page)\b/.test(name)
  const isListed = ({ name }: Parameter) => name === 'sort' || /^(filter|range|search)\b/.test(name)
  return html`
      ${path.length > 0 ? parameterList(reference, 'In the path', path) : ''}
      ${query.some(isListed) ? listSection(reference, query) : ''}
      ${
        query.some((one) => !isListed(one))
          ? parameterList(
              reference,
              query.some(isPaging) ? 'Pages' : 'Parameters',
              query.filter((one) => !isListed(one)),
            )
          : ''
      }
      ${headers.length > 0 ? parameterList(reference, 'Headers', headers) : ''}`
}

function uniqueBy(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.map((one) => [`${one.in} ${one.name}`, one])).values()]
}

const parameterList = (reference: Reference, title: string, parameters: readonly Parameter[]): Html => html`
      <h3>${title}</h3>
      <dl class="fields">${parameters.map(
        ({ name, schema, description }) => html`
        <div><dt><code>${name}</code></dt><dd>${typeOf(reference, schema)} <span class="quiet">${prose(description)}</span></dd></div>`,
      )}
      </dl>`

/** Sorts, filters, ranges and searches: each field once, with what may be asked of it. */
function listSection(reference: Reference, query: readonly Parameter[]): Html {
  const sort = query.find(({ name }) => name === 'sort')
  const sortable = new Set(((sort?.schema.items as JsonSchema)?.enum as readonly string[] | undefined) ?? [])
  const meanings = meaningsOf(sort)
  const asked = new Map<string, { ways: string[]; schema: JsonSchema; description: string }>()
  for (const { name, schema, description } of query) {
    const [, way = '', field = ''] = /^(filter|range|search)\[(.*)\]$/.exec(name) ?? []
    if (!way) continue
    const item = (schema.type === 'array' ? (schema.items ?? {}) : schema) as JsonSchema
    const known = asked.get(field) ?? { ways: [], schema: item, description: particular(description) }
    asked.set(field, { ...known, ways: [...known.ways, way] })
  }
  for (const field of sortable) {
    if (field.startsWith('-')) continue
    const known = asked.get(field)
    if (known) known.ways.unshift('sort')
    else asked.set(field, { ways: ['sort'], schema: {}, description: meanings.get(field) ?? '' })
  }
  return html`
      <h3>Filters, ranges, sorts</h3>
      ${sort ? html`<p>Sorted by <code>${((sort.schema.default ?? []) as readonly string[]).join(',')}</code> unless <code>sort</code> says otherwise.</p>` : ''}
      <dl class="fields">${[...asked].map(
        ([field, { ways, schema, description }]) => html`
        <div><dt><code>${field}</code></dt><dd>${Object.keys(schema).length > 0 ? typeOf(reference, schema) : ''}
          <span class="ways">${ways.map((way) => html`<span>${way}</span> `)}</span>${description ? html` <span class="quiet">${prose(description)}</span>` : ''}</dd></div>`,
      )}
      </dl>
      ${query.some(({ name }) => name === 'search') ? html`<p><code>search=text</code> looks at all searchable fields.</p>` : ''}`
}

/** What holds for every filter and range is said once, in the guide on lists. */
const particular = (description: string) => description.replace(OF_EVERY_FIELD, '').trim()

/** What the sort parameter says of each of its fields. */
const meaningsOf = (sort: Parameter | undefined) =>
  new Map([...(sort?.description ?? '').matchAll(/^- `(.+?)`: (.+)$/gm)].map(([, field, meaning]) => [field, meaning]))

const payloadSection = (reference: Reference, payload: JsonSchema): Html => html`
      <h3>Payload</h3>
      ${fieldList(reference, reference.resolve(payload), { requiredMatters: true })}`

function answerSection(reference: Reference, { answers }: Operation): Html {
  const successes = answers.filter(({ status }) => status < 300)
  const refusals = answers.filter(({ status }) => status >= 300)
  return html`
      <h3>Answers</h3>
      <dl class="fields statuses">${successes.map(
        ({ status, description, schema }) => html`
        <div><dt><span class="status good">${status}</span></dt><dd>${description}${schema ? html` JSON: ${typeOf(reference, schema)}.` : ''}</dd></div>`,
      )}
      </dl>
      <details><summary>Otherwise: ${refusals.map(({ status }) => status).join(', ')}</summary>
        <dl class="fields statuses">${refusals.map(
          ({ status, description }) => html`
          <div><dt><span class="status">${status}</span></dt><dd>${prose(description)}</dd></div>`,
        )}
        </dl>
      </details>`
}
