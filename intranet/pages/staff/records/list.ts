import { namesOf } from '@campus/engine/base/narrow'
import { type FieldErrors, HttpError, notFound } from '@campus/engine/errors'
import { STREAM_TYPES } from '@campus/engine/http/stream-types'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { isImportable } from '@campus/engine/rest/import/import-file'
import type { Call } from '@campus/engine/rest/in-process'
import { apiPreview } from '../../api-preview.ts'
import type { ApiAnswer } from '../../ask.ts'
import { empty, type Heading, table } from '../../components.ts'
import { errorSummary } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { type PersonPageContext, page, pageContent, redirectTo } from '../../page.ts'
import { PER_PAGE } from '../../paging.ts'
import { addressWith, type ListAddress, queryOf, readAddress } from './address.ts'
import { type StaffContext, staffCaller, staffContext } from './caller.ts'
import { columnsForm, columnsOf, sentColumns } from './columns.ts'
import { addedCondition, conditionsForm } from './conditions.ts'
import { call } from './load.ts'
import {
  labelOf,
  listRoute,
  pathOf,
  RECORDS_PATH,
  type Routed,
  recordRoute,
  resourceOf,
  routedResources,
  type ShownRecord,
  trailOf,
  unwrapped,
} from './resource.ts'
import { IN_SHORT, valueText } from './value.ts'

/** Name of the route and id of the form for several records. */
const SEVERAL = 'several'

export const recordsList = page({
  path: `${RECORDS_PATH}/:resource`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const address = readAddress(context)
    const columns = sentColumns(context, resource)
    if (columns) {
      context.setColumns(pathOf(resource), columns)
      return redirectTo(addressWith(resource, address, { columns }))
    }
    const added = await addedCondition(staff, resource, address)
    if (added !== undefined) return redirectTo(added)
    const { api } = context.dependencies
    const { answer, errors } = await listed(staff, resource, address)
    return pageContent(
      labelOf(resource),
      html`
      <p class="quiet" lang="en">${resource.summary}</p>
      <div class="actions">
        ${await importLink(context, resource)}
        ${api.may(staff.caller, 'POST', listRoute(resource)) ? html`<a class="button" href="${pathOf(resource, 'new')}">${say('New record')}</a>` : ''}
        ${(['csv', 'ndjson'] as const).map(
          (form) =>
            html`<a class="button second" href="${exportPath(resource, address, form)}" translate="no">${form.toUpperCase()}</a>`,
        )}
      </div>
      ${conditionsForm(context, resource, address)}
      ${columnsForm(context, resource, address)}
      ${errorSummary(errors, {})}
      ${answer ? recordsTable(staff, resource, address, answer) : ''}
      ${answer ? apiPreview(answer) : ''}`,
      { trail: trailTo(context.dependencies, address), status: answer ? 200 : 400 },
    )
  },
})

function trailTo({ registry }: PersonPageContext['dependencies'], { below }: ListAddress) {
  const [parent = '', id = ''] = below?.split(':') ?? []
  const resource = registry.resources.find(({ name }) => name === parent)
  return resource ? [trailOf(resource), { path: pathOf(resource, id), label: `#${id}` }] : []
}

const exportPath = (resource: Resource, address: ListAddress, form: string): string =>
  addressWith(resource, { ...address, columns: undefined }).replace(
    pathOf(resource),
    `${pathOf(resource)}/export/${form}`,
  )

/** Returns the call of the list without its page. Throws 404 for an invalid parent. */
export function listCall(
  { registry, api }: PersonPageContext['dependencies'],
  resource: Routed,
  address: ListAddress,
): Call {
  const query = queryOf(address)
  const [, parent = '', id = ''] = /^(\w+):(.+)$/.exec(address.below ?? '') ?? []
  if (address.below === undefined) return { method: 'GET', path: listRoute(resource), query }
  const above = registry.resources.find(({ name }) => name === parent)
  const path = `/v2/${parent}/:${above?.singular}_id/${resource.name}`
  if (!above || !api.has('GET', path)) throw notFound('There is no page at this address.')
  return { method: 'GET', path, params: { [`${above.singular}_id`]: id }, query }
}

type Listed = { readonly answer?: ApiAnswer<readonly ShownRecord[]>; readonly errors: FieldErrors }

/** Returns the errors of an invalid address. */
async function listed(context: StaffContext, resource: Routed, address: ListAddress): Promise<Listed> {
  const asked = listCall(context.dependencies, resource, address)
  const query = { ...asked.query, page: address.page, per_page: PER_PAGE }
  try {
    return { answer: await call(context, { ...asked, query }), errors: {} }
  } catch (error) {
    if (!(error instanceof HttpError && (error.status === 400 || error.status === 422))) throw error
    return { errors: error.errors ?? { base: [error.text] } }
  }
}

function recordsTable(
  context: StaffContext,
  resource: Routed,
  address: ListAddress,
  { value: records, total }: ApiAnswer<readonly ShownRecord[]>,
): Html {
  if (records.length === 0) return empty(say('No record matches.'))
  const columns = columnsOf(context, resource, address)
  const first = (address.page - 1) * PER_PAGE
  const { api } = context.dependencies
  const mayWrite = (['PATCH', 'DELETE'] as const).some((method) =>
    api.may(context.caller, method, recordRoute(resource)),
  )
  return html`
  <p class="quiet">${say('{first, number} to {last, number} of {total, number}', { first: first + 1, last: first + records.length, total })}</p>
  <form id="${SEVERAL}" method="get" action="${pathOf(resource, SEVERAL)}"></form>
  <div class="card records">${table(
    labelOf(resource),
    ['id', ...columns.map((name) => headingOf(resource, address, name))],
    records.map((one) => {
      const record = unwrapped(resource, one)
      return [
        html`<span class="record-id">${mayWrite ? html`<input type="checkbox" name="ids[]" value="${record.id}" form="${SEVERAL}" aria-label="${say('Choose record {id}', { id: String(record.id) })}"> ` : ''}<a href="${pathOf(resource, String(record.id))}">${record.id}</a></span>`,
        ...columns.map((name) => valueText(context, { resource, name }, record[name], IN_SHORT)),
      ]
    }),
  )}</div>
  ${mayWrite ? html`<div class="actions"><button class="second" form="${SEVERAL}">${say('Change or delete the chosen records')}</button></div>` : ''}
  ${pagesOf(resource, address, total)}`
}

/** Links a sortable column: ascending, then descending, then the default order. */
function headingOf(resource: Routed, address: ListAddress, name: string): Heading {
  if (!resource.index.sort.includes(name)) return name
  const { sort } = address
  const next = sort === name ? `-${name}` : sort === `-${name}` ? undefined : name
  return {
    text: name,
    shown: html`<a href="${addressWith(resource, address, { sort: next })}" rel="nofollow">${name}</a>`,
    sort: sort === name ? 'ascending' : sort === `-${name}` ? 'descending' : undefined,
  }
}

function pagesOf(resource: Routed, address: ListAddress, total: number): Html | '' {
  const last = Math.max(1, Math.ceil(total / PER_PAGE))
  if (last === 1) return ''
  const { page } = address
  const link = (to: number, text: string) => html`<a href="${addressWith(resource, address, { page: to })}">${text}</a>`
  return html`
  <nav class="actions" aria-label="${say('Pages')}">
    ${page > 2 ? link(1, say('First page')) : ''}
    ${page > 1 ? link(page - 1, say('Previous page')) : ''}
    <span>${say('Page {page, number} of {last, number}', { page, last })}</span>
    ${page < last ? link(page + 1, say('Next page')) : ''}
    ${page < last - 1 ? link(last, say('Last page')) : ''}
  </nav>`
}

async function importLink(context: PersonPageContext, resource: Routed): Promise<Html | ''> {
  const { api } = context.dependencies
  if (!isImportable(resource) || !api.mayAll(await staffCaller(context), 'POST', listRoute(resource))) return ''
  return html`<a class="button second" href="/staff/import/new/${resource.name}">${say('Import a table')}</a>`
}

export const recordsExport = page({
  path: `${RECORDS_PATH}/:resource/export/:form`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const form = namesOf(STREAM_TYPES).find((one) => one === context.params.form)
    if (!form) throw notFound('There is no page at this address.')
    const call = listCall(context.dependencies, resource, readAddress(context))
    return { kind: 'list', caller: await staffCaller(context), call, form }
  },
})

export const resourcesPage = page({
  path: RECORDS_PATH,
  access: 'staff',
  async show(context) {
    const staff = await staffContext(context)
    const { registry, api } = context.dependencies
    const readable = routedResources(registry).filter((one) => api.may(staff.caller, 'GET', listRoute(one)))
    return pageContent(
      say('Records'),
      html`
      <p class="quiet">${
        staff.caller.application.roles.length === 0
          ? say('You have no role at the school, so that you read what any program may and write nothing.')
          : say('You read and write by these roles of yours: {roles}.', {
              roles: staff.caller.application.roles.join(', '),
            })
      }</p>
      <div class="card">${table(
        say('Records'),
        [say('Records'), say('What they are')],
        readable.map((one) => [
          html`<a href="${pathOf(one)}">${labelOf(one)}</a>`,
          html`<span lang="en">${one.summary}</span>`,
        ]),
      )}</div>`,
    )
  },
})
