import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { OF_EVERY_FIELD } from '@campus/engine/rest/openapi/list-parameters'
import { type Html, html, say } from '@campus/intranet/pages/html'
import type { Action, Parameter, Reference } from './model.ts'
import { prose } from './prose.ts'
import { typeOf } from './schemas.ts'

/** Renders the parameters of path, query and headers. The console reads its choices from their `data-` attributes. */
export function parameterSections(reference: Reference, { operations }: Action): Html {
  // A parameter that only another path requires is optional for the action.
  const [first, ...others] = operations
  const optional = others.flatMap(({ parameters }) => parameters.map((one) => ({ ...one, isRequired: false })))
  const all = uniqueBy([...first.parameters, ...optional])
  const headers = all.filter((one) => one.in === 'header')
  const query = all.filter((one) => one.in === 'query')
  const paging = query.filter(isPaging)
  const plain = query.filter((one) => !isListed(one) && !isPaging(one))
  return html`
      ${pathParameters(reference, operations[0].parameters)}
      ${query.some(isListed) ? listSection(reference, query) : ''}
      ${plain.length > 0 ? parameterList(reference, say('Parameters'), plain) : ''}
      ${paging.length > 0 ? folded(say('Pages'), parameterFields(reference, paging)) : ''}
      ${headers.length > 0 ? folded(say('Headers'), parameterFields(reference, headers)) : ''}`
}

export function pathParameters(reference: Reference, parameters: readonly Parameter[]): Html | '' {
  const path = uniqueBy(parameters.filter((one) => one.in === 'path'))
  return path.length > 0 ? parameterList(reference, say('In the path'), path) : ''
}

const isPaging = ({ name }: Parameter) => /^(page|per_page)\b/.test(name)
const isListed = ({ name }: Parameter) => name === 'sort' || /^(filter|range|search)\b/.test(name)

function uniqueBy(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.toReversed().map((one) => [`${one.in} ${one.name}`, one])).values()].reverse()
}

const parameterList = (reference: Reference, title: string, parameters: readonly Parameter[]): Html => html`
      <h3>${title}</h3>
      ${parameterFields(reference, parameters)}`

const folded = (title: string, content: Html): Html =>
  html`<details class="more"><summary>${title}</summary>${content}</details>`

const parameterFields = (reference: Reference, parameters: readonly Parameter[]): Html => html`
      <dl class="fields">${parameters.map(
        ({ name, in: location, schema, description, isRequired }) => html`
        <div${location === 'query' ? chosenBy(reference, name, [''], schema) : ''}><dt><code>${name}</code> <span class="type">${typeOf(reference, schema)}</span>
          ${isRequired && location === 'query' ? html`<strong class="needed">${say('required')}</strong>` : ''}</dt>${description ? html`<dd>${prose(description)}</dd>` : ''}</div>`,
      )}
      </dl>`

/** A field of a list, with the kinds of its parameters. */
type Asked = { readonly ways: readonly string[]; readonly schema: JsonSchema; readonly description: string }

/** Renders sorts, filters, ranges and searches by field. */
function listSection(reference: Reference, query: readonly Parameter[]): Html {
  const sort = query.find(({ name }) => name === 'sort')
  const fields = askedFields(reference, query, sort)
  return html`
      <h3>${say('Filters, ranges, sorts')}</h3>
      ${sort ? html`<p class="quiet">Sorted by <code>${[sort.schema.default ?? []].flat().join(',')}</code> unless <code>sort</code> says otherwise.</p>` : ''}
      <dl class="fields">${[...fields].map(
        ([field, { ways, schema, description }]) => html`
        <div${chosenBy(reference, field, ways, schema)}><dt><code>${field}</code> <span class="type">${Object.keys(schema).length > 0 ? typeOf(reference, schema) : ''}</span>
          <span class="ways">${ways.map((way) => html`<span>${way}</span> `)}</span></dt>${description ? html`<dd>${prose(description)}</dd>` : ''}</div>`,
      )}
      </dl>
      ${query.some(({ name }) => name === 'search') ? html`<p class="quiet"${chosenBy(reference, 'search', [''], {})}><code>search=text</code> looks at all searchable fields.</p>` : ''}`
}

/** Returns the fields that a list can be sorted, filtered or searched by, in the order of the OpenAPI document. */
export function askedFields(
  reference: Reference,
  query: readonly Parameter[],
  sort = query.find(({ name }) => name === 'sort'),
): ReadonlyMap<string, Asked> {
  const sortable = (reference.resolve(sort?.schema.items ?? {}).enum ?? [])
    .map(String)
    .filter((field) => !field.startsWith('-'))
  const meanings = meaningsOf(sort)
  const asked = new Map<string, Asked>()
  for (const { name, schema, description } of query) {
    const [, way = '', field = ''] = /^(filter|range|search)\[(.*)\]$/.exec(name) ?? []
    if (!way) continue
    const item = schema.type === 'array' ? (schema.items ?? {}) : schema
    const known = asked.get(field) ?? { ways: [], schema: item, description: particular(description) }
    asked.set(field, { ...known, ways: [...known.ways, way] })
  }
  for (const field of sortable) {
    const known = asked.get(field) ?? { ways: [], schema: {}, description: meanings.get(field) ?? '' }
    asked.set(field, { ...known, ways: ['sort', ...known.ways] })
  }
  return asked
}

/** Removes the text that all filters and ranges share, since the guide on lists has it. */
const particular = (description: string) => description.replace(OF_EVERY_FIELD, '').trim()

/** Returns the description of each field in the sort parameter. */
const meaningsOf = (sort: Parameter | undefined) =>
  new Map([...(sort?.description ?? '').matchAll(/^- `(.+?)`: (.+)$/gm)].map(([, field, meaning]) => [field, meaning]))

/** Renders attributes for the console: name, kinds of parameters, type and values. */
function chosenBy(reference: Reference, name: string, ways: readonly string[], schema: JsonSchema): Html {
  const { enum: values, type, format } = reference.resolve(schema)
  const choices = Array.isArray(values) ? values : [type].flat().includes('boolean') ? ['true', 'false'] : []
  const kind = format === 'date-time' ? 'time' : String([type].flat()[0] ?? '')
  return html` data-asks="${name}" data-ways="${ways.join(' ')}" data-kind="${kind}"${choices.length > 0 ? html` data-values="${choices.join('|')}"` : ''}`
}
