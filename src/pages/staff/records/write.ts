import { unprocessable } from '../../../errors.ts'
import type { Caller } from '../../../http/caller.ts'
import { csrfField, errorSummary } from '../../fields.ts'
import type { Form } from '../../form.ts'
import { type Html, html } from '../../html.ts'
import { type FormState, formPage, pageContent, redirectTo } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { say } from '../../say.ts'
import { SUGGESTIONS_SCRIPT } from '../../suggestions.ts'
import { staffCaller } from './caller.ts'
import { consequences } from './consequences.ts'
import { formerName, type Input, inputField, inputsOf, presentValue, sentValues, textIn } from './inputs.ts'
import { call, loadRecord } from './load.ts'
import {
  listRoute,
  pathOf,
  RECORDS_PATH,
  type Routed,
  recordRoute,
  resourceOf,
  type ShownRecord,
  trailOf,
  unwrapped,
} from './resource.ts'

/** /staff/records/:resource/new: creates a record by the API's POST. */
const creation = formPage({
  path: `${RECORDS_PATH}/:resource/new`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    return pageContent(
      say('New record: {record}', { record: resource.singular }),
      recordForm(context, state, {
        inputs: inputsOf(context, resource, true),
        present: () => undefined,
        action: pathOf(resource, 'new'),
        button: say('Create'),
        call: `POST ${listRoute(resource)}`,
        before: consequences(resource, 'create'),
      }),
      { trail: [trailOf(resource)], scripts: [SUGGESTIONS_SCRIPT] },
    )
  },
  async submit(context, form) {
    const resource = resourceOf(context)
    const caller = await staffCaller(context)
    const body = await bodyOf(context, caller, resource, inputsOf(context, resource, true), form)
    const { value } = await call<ShownRecord | readonly ShownRecord[]>(context, caller, {
      method: 'POST',
      path: listRoute(resource),
      body,
    })
    const [first = {}] = [value].flat()
    const { id } = unwrapped(resource, first)
    // A creation may answer nothing that names the record.
    return redirectTo(typeof id === 'number' ? pathOf(resource, id) : pathOf(resource), {
      notice: say('Created: {call}', { call: `POST ${listRoute(resource)}` }),
    })
  },
})

/** /staff/records/:resource/:id/edit: changes a record by the API's PATCH; what stays as it was is not sent. */
const change = formPage({
  path: `${RECORDS_PATH}/:resource/:id/edit`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const { record, id, name } = await loadRecord(
      context,
      await staffCaller(context),
      resource,
      context.params.id ?? '',
    )
    const inputs = inputsOf(context, resource, false)
    return pageContent(
      say('Change {name}', { name }),
      recordForm(context, state, {
        inputs,
        present: (input) => presentValue(resource, record, input.name),
        action: `${pathOf(resource, id)}/edit`,
        button: say('Change'),
        call: `PATCH ${listRoute(resource)}/${id}`,
        before: consequences(resource, 'update'),
      }),
      { trail: [trailOf(resource), { path: pathOf(resource, id), label: name }], scripts: [SUGGESTIONS_SCRIPT] },
    )
  },
  async submit(context, form) {
    const resource = resourceOf(context)
    const caller = await staffCaller(context)
    const { id } = await loadRecord(context, caller, resource, context.params.id ?? '')
    const body = await bodyOf(context, caller, resource, inputsOf(context, resource, false), form)
    await call(context, caller, { method: 'PATCH', path: recordRoute(resource), params: { id }, body })
    const fields = Object.keys(body[resource.singular] ?? {}).join(', ')
    return redirectTo(pathOf(resource, id), {
      notice: say('Changed {fields}: {call}', { fields, call: `PATCH ${listRoute(resource)}/${id}` }),
    })
  },
})

export const WRITING_PAGES = [...creation, ...change]

type RecordForm = {
  readonly inputs: readonly Input[]
  readonly present: (input: Input) => unknown
  readonly action: string
  readonly button: string
  /** The call of the API that sending it makes. */
  readonly call: string
  /** What is said before it is sent. */
  readonly before: Html | ''
}

function recordForm(
  context: PersonPageContext,
  state: FormState,
  { inputs, present, action, button, call: made, before }: RecordForm,
): Html {
  const [required, others] = [inputs.filter((one) => one.isRequired), inputs.filter((one) => !one.isRequired)]
  return html`
  ${errorSummary(state.errors, {})}
  <form method="post" action="${action}">
    ${csrfField(context)}
    ${inputs.map(
      (input) =>
        html`<input type="hidden" name="${formerName(input.name)}" value="${state.form?.text(formerName(input.name)) ?? textIn(context, input, present(input))}">`,
    )}
    <div class="columns">${[...required, ...others].map((input) => inputField(context, state, input, present(input)))}</div>
    ${before}
    <div class="actions"><button>${button}</button> <span class="quiet code">${made}</span></div>
  </form>`
}

/** The body of a call that writes what a form changed. Throws 422. */
async function bodyOf(
  context: PersonPageContext,
  caller: Caller,
  { singular }: Routed,
  inputs: readonly Input[],
  form: Form,
): Promise<Record<string, Record<string, unknown>>> {
  const sent = await sentValues(context, caller, inputs, form)
  if (Object.keys(sent).length === 0) throw unprocessable({ base: ['Nothing was changed.'] })
  return { [singular]: sent }
}
