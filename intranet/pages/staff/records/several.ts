import { HttpError, unprocessable } from '@campus/engine/errors'
import { csrfField, errorSummary, refusalText, selectField, textField } from '../../fields.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import { type Form, formPage, type Outcome, pageContent } from '../../page.ts'
import { PER_PAGE } from '../../paging.ts'
import { type StaffContext, staffContext } from './caller.ts'
import { consequences } from './consequences.ts'
import { inputsOf, sentValues } from './inputs.ts'
import { call } from './load.ts'
import { listRoute, pathOf, RECORDS_PATH, type Routed, recordRoute, resourceOf, trailOf } from './resource.ts'

export const several = formPage({
  path: `${RECORDS_PATH}/:resource/several`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const ids = idsOf(state.form ?? context.query)
    const { api } = context.dependencies
    const inputs = inputsOf(context, resource, false)
    const common = html`${csrfField(context)}${ids.map((id) => html`<input type="hidden" name="ids[]" value="${id}">`)}`
    const action = pathOf(resource, 'several')
    return pageContent(
      say('{count, plural, one {# record} other {# records}} of {resource}', {
        count: ids.length,
        resource: resource.name,
      }),
      html`
      ${errorSummary(state.errors, {})}
      <p>${ids.map((id) => html`<a href="${pathOf(resource, id)}">#${id}</a> `)}</p>
      ${
        ids.length === 0
          ? html`<p>${say('No record was chosen. Tick some of them in the list.')} <a href="${pathOf(resource)}">${say('Back to the list')}</a></p>`
          : ''
      }
      ${
        ids.length > 0 && api.may(staff.caller, 'PATCH', recordRoute(resource))
          ? html`<h2>${say('Change a field of all of them')}</h2>${consequences(resource, 'update')}
      <form method="post" action="${action}">${common}<div class="columns">
        ${selectField(state, { name: 'field', label: say('Field'), choices: inputs.map(({ name }) => ({ value: name, label: name })), chosen: '' })}
        ${textField(state, { name: 'value', label: say('Value'), hint: say('Blank: none.') })}</div>
        <div class="actions"><button name="wish" value="change">${say('Change')}</button>
          <span class="quiet code">PATCH ${listRoute(resource)}/:id × ${ids.length}</span></div></form>`
          : ''
      }
      ${
        ids.length > 0 && api.may(staff.caller, 'DELETE', recordRoute(resource))
          ? html`<h2>${say('Delete all of them')}</h2>${consequences(resource, 'destroy')}
      <form method="post" action="${action}">${common}
        <div class="actions"><button class="danger" name="wish" value="delete">${say('Delete')}</button>
          <span class="quiet code">DELETE ${listRoute(resource)}/:id × ${ids.length}</span></div></form>`
          : ''
      }`,
      { trail: [trailOf(resource)] },
    )
  },
  async submit(context, form) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const ids = idsOf(form)
    if (ids.length === 0) throw unprocessable({ base: ['No record was chosen.'] })
    const method = form.text('wish') === 'delete' ? 'DELETE' : 'PATCH'
    const body = method === 'PATCH' ? { [resource.singular]: await changeIn(staff, resource, form) } : undefined
    const refused: (readonly [id: string, why: string])[] = []
    for (const [at, id] of ids.entries()) {
      try {
        await call(staff, { method, path: recordRoute(resource), params: { id }, body })
      } catch (error) {
        // An error does not undo the calls before it, so the page reports each of them.
        if (!(error instanceof HttpError) || (error.status >= 500 && at === refused.length)) throw error
        refused.push([id, refusalText(error)])
        if (error.status < 500) continue
        refused.push(...ids.slice(at + 1).map((later) => [later, say('It was not sent any more.')] as const))
        break
      }
    }
    return outcomeOf(resource, method, ids, refused)
  },
})

/** Takes at most as many ids as the list shows. */
const idsOf = (form: Form): readonly string[] =>
  [...new Set(form.list('ids').filter((id) => /^\d{1,10}$/.test(id)))].slice(0, PER_PAGE)

/** Reads the value like the form of a record. */
async function changeIn(context: StaffContext, resource: Routed, form: Form): Promise<Record<string, unknown>> {
  const input = inputsOf(context, resource, false).find(({ name }) => name === form.text('field'))
  if (!input) throw unprocessable({ field: ['must be one of the choices'] })
  const text = form.text('value')
  const one: Form = {
    text: (name) => (name === input.name ? text : `not ${text}`),
    has: () => true,
    list: () => [],
    file: () => undefined,
  }
  return sentValues(context, [input], one)
}

function outcomeOf(
  resource: Routed,
  method: 'DELETE' | 'PATCH',
  ids: readonly string[],
  refused: readonly (readonly [id: string, why: string])[],
): Outcome {
  const done = ids.length - refused.length
  return pageContent(
    method === 'DELETE'
      ? say('{done, number} of {all, number} deleted', { done, all: ids.length })
      : say('{done, number} of {all, number} changed', { done, all: ids.length }),
    html`
    ${refused.length > 0 ? html`<div class="problem" role="alert"><p>${say('These were refused:')}</p><ul>${refused.map(([id, why]): Html => html`<li>${sayWith('{name}: {value}', { name: html`<a href="${pathOf(resource, id)}">#${id}</a>`, value: why })}</li>`)}</ul></div>` : ''}
    <p><a class="button" href="${pathOf(resource)}">${say('Back to the list')}</a></p>`,
    { trail: [trailOf(resource)] },
  )
}
