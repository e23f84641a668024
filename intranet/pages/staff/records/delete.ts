import { csrfField, errorSummary } from '../../fields.ts'
import { html, say } from '../../html.ts'
import { formPage, pageContent, redirectTo } from '../../page.ts'
import { staffCaller } from './caller.ts'
import { consequences } from './consequences.ts'
import { call, loadRecord } from './load.ts'
import { listRoute, pathOf, RECORDS_PATH, recordRoute, resourceOf, trailOf } from './resource.ts'

export const recordDeletion = formPage({
  path: `${RECORDS_PATH}/:resource/:id/delete`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const { id, name } = await loadRecord(context, await staffCaller(context), resource, context.params.id ?? '')
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
    const caller = await staffCaller(context)
    const { id, name } = await loadRecord(context, caller, resource, context.params.id ?? '')
    await call(context, caller, { method: 'DELETE', path: recordRoute(resource), params: { id } })
    return redirectTo(pathOf(resource), {
      notice: say('Deleted {name}: {call}', { name, call: `DELETE ${listRoute(resource)}/${id}` }),
    })
  },
})
