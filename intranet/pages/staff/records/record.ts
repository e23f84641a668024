import { punctuated } from '@campus/engine/rest/declare/fields/field'
import { meaningOf } from '@campus/engine/rest/openapi/meaning'
import { apiPreview } from '../../api-preview.ts'
import { type Html, html, say } from '../../html.ts'
import { type PersonPageContext, page, pageContent } from '../../page.ts'
import { listsBelow } from './associations.ts'
import { staffCaller } from './caller.ts'
import { historyOf } from './history.ts'
import { loadRecord } from './load.ts'
import { pathOf, RECORDS_PATH, type Routed, recordRoute, resourceOf, type ShownRecord, trailOf } from './resource.ts'
import { AT_LENGTH, valueText } from './value.ts'

/** /staff/records/:resource/:id: a record as the API shows it, what it is associated with, and who changed it. */
export const recordPage = page({
  path: `${RECORDS_PATH}/:resource/:id`,
  access: 'staff',
  async show(context) {
    const resource = resourceOf(context)
    const caller = await staffCaller(context)
    const { api } = context.dependencies
    const { answer, record, id, name } = await loadRecord(context, caller, resource, context.params.id ?? '')
    const may = (method: 'PATCH' | 'DELETE') => api.may(caller, method, recordRoute(resource))
    return pageContent(
      name,
      html`
      <div class="actions">
        ${may('PATCH') ? html`<a class="button" href="${pathOf(resource, id)}/edit">${say('Change')}</a>` : ''}
        ${may('DELETE') ? html`<a class="button danger" href="${pathOf(resource, id)}/delete">${say('Delete')}</a>` : ''}
        ${resource.name === 'users' ? html`<a class="button second" href="/staff/users/${id}">${say('Account')}</a>` : ''}
      </div>
      <dl class="facts">${Object.entries(record).map(([field, value]) => factOf(context, resource, field, value))}</dl>
      ${listsBelow(context, caller, resource, id)}
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
