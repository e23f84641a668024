import { punctuated } from '@campus/engine/rest/declare/fields/field'
import { meaningOf } from '@campus/engine/rest/openapi/meaning'
import { words } from '@campus/engine/rest/openapi/names'
import { recordAuditsOf } from '../../../services/audit/record-audits.ts'
import { apiPreview } from '../../api-preview.ts'
import { auditList } from '../../audit-texts.ts'
import { csrfField, errorSummary } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { formPage, type PersonPageContext, page, pageContent, redirectTo } from '../../page.ts'
import { type StaffContext, staffContext } from './caller.ts'
import { consequences } from './consequences.ts'
import { call, loadRecord } from './load.ts'
import {
  listRoute,
  pathOf,
  RECORDS_PATH,
  type Routed,
  recordRoute,
  resourceOf,
  routedResources,
  type ShownRecord,
  trailOf,
} from './resource.ts'
import { AT_LENGTH, valueText } from './value.ts'

export const recordPage = page({
  path: `${RECORDS_PATH}/:resource/:id`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const { api } = context.dependencies
    const { answer, record, id, name } = await loadRecord(staff, resource)
    const may = (method: 'PATCH' | 'DELETE') => api.may(staff.caller, method, recordRoute(resource))
    return pageContent(
      name,
      html`
      <div class="actions">
        ${may('PATCH') ? html`<a class="button" href="${pathOf(resource, id)}/edit">${say('Change')}</a>` : ''}
        ${may('DELETE') ? html`<a class="button danger" href="${pathOf(resource, id)}/delete">${say('Delete')}</a>` : ''}
        ${resource.name === 'users' ? html`<a class="button second" href="/staff/users/${id}">${say('Account')}</a>` : ''}
      </div>
      <dl class="facts">${Object.entries(record).map(([field, value]) => factOf(context, resource, field, value))}</dl>
      ${listsBelow(staff, resource, id)}
      ${await historyOf(context, resource, id)}
      ${apiPreview(answer)}`,
      { trail: [trailOf(resource)] },
    )
  },
})

function factOf(context: PersonPageContext, resource: Routed, name: string, value: ShownRecord[string]): Html {
  const meaning = meaningOf(context.dependencies.registry, resource, name)
  return html`
  <dt lang="en"${meaning ? html` title="${punctuated(meaning)}"` : ''}><span class="code">${name}</span></dt>
  <dd>${valueText(context, { resource, name }, value, AT_LENGTH) || html`<span class="quiet">–</span>`}</dd>`
}

function listsBelow(context: StaffContext, resource: Routed, id: number): Html | '' {
  const { registry, api } = context.dependencies
  const lists = routedResources(registry).filter(({ name }) =>
    api.may(context.caller, 'GET', `/v2/${resource.name}/:${resource.singular}_id/${name}`),
  )
  if (lists.length === 0) return ''
  return html`
  <h2>${say('What belongs to it')}</h2>
  <ul class="columns-list">${lists.map(
    (one) => html`<li><a href="${pathOf(one)}?below=${resource.name}:${id}">${words(one.name)}</a></li>`,
  )}</ul>`
}

const HISTORY_SHOWN = 20

async function historyOf(context: PersonPageContext, { name }: Routed, id: number): Promise<Html> {
  const found = await recordAuditsOf(context.dependencies.database, { resource: name, id }, HISTORY_SHOWN)
  return html`<h2>${say('History')}</h2>${auditList(context, found, { personId: undefined })}`
}

export const recordDeletion = formPage({
  path: `${RECORDS_PATH}/:resource/:id/delete`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const { id, name } = await loadRecord(await staffContext(context), resource)
    return pageContent(
      say('Delete {name}?', { name }),
      html`
      ${errorSummary(state.errors, {})}
      ${consequences(resource, 'destroy')}
      <form method="post" action="${pathOf(resource, id)}/delete">
        ${csrfField(context)}
        <div class="actions"><button class="danger">${say('Delete')}</button>
          <a href="${pathOf(resource, id)}">${say('Cancel')}</a>
          <span class="quiet code">DELETE ${listRoute(resource)}/${id}</span></div>
      </form>`,
      { trail: [trailOf(resource), { path: pathOf(resource, id), label: name }] },
    )
  },
  async submit(context) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const { id, name } = await loadRecord(staff, resource)
    await call(staff, { method: 'DELETE', path: recordRoute(resource), params: { id } })
    return redirectTo(pathOf(resource), {
      notice: say('Deleted {name}: {call}', { name, call: `DELETE ${listRoute(resource)}/${id}` }),
    })
  },
})
