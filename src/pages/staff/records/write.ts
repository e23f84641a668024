import { message } from '../../../base/languages/say.ts'
import { HttpError, unprocessable } from '../../../errors.ts'
import type { Caller } from '../../../http/caller.ts'
import { ValidationErrors } from '../../../validation-errors.ts'
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
    const { id, record, answer } = await loadRecord(context, caller, resource, context.params.id ?? '')
    const inputs = inputsOf(context, resource, false)
    requireUnchanged(context, inputs, form, (input) => presentValue(resource, record, input.name))
    const body = await bodyOf(context, caller, resource, inputs, form)
    const headers = answer.etag === undefined ? {} : { 'if-match': answer.etag }
    await call(context, caller, {
      method: 'PATCH',
      path: recordRoute(resource),
      params: { id },
      body,
      headers,
    }).catch(asConflict)
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
        html`<input type="hidden" name="${formerName(input.name)}" value="${formerText(context, state, input, present(input))}">`,
    )}
    <div class="columns">${[...required, ...others].map((input) => inputField(context, isChanged(state, input) ? state : { ...state, form: undefined }, input, present(input)))}</div>
    ${before}
    <div class="actions"><button>${button}</button> <span class="quiet code">${made}</span></div>
  </form>`
}

const isChanged = ({ form }: FormState, { name }: Input): boolean => form?.text(name) !== form?.text(formerName(name))

/**
 * Returns the value that an edit starts from. A field that was not edited starts from the stored value again, and so does
 * a field whose error was shown: its reader has seen that somebody else changed it.
 */
function formerText(context: PersonPageContext, state: FormState, input: Input, present: unknown): string {
  const isOwnEdit = isChanged(state, input) && !(input.name in state.errors)
  return (isOwnEdit ? state.form?.text(formerName(input.name)) : undefined) ?? textIn(context, input, present)
}

/** Throws 422 for each edited field that somebody else changed after the form was shown. */
function requireUnchanged(
  context: PersonPageContext,
  inputs: readonly Input[],
  form: Form,
  present: (input: Input) => unknown,
): void {
  const errors = new ValidationErrors()
  for (const input of inputs) {
    const former = formerName(input.name)
    const text = textIn(context, input, present(input))
    const isEdited = form.has(former) && form.text(input.name) !== form.text(former)
    if (!isEdited || text === form.text(former) || text === form.text(input.name)) continue
    errors.add(
      input.name,
      message('was changed to “{value}” after you opened this page. Send the form again to replace that.', {
        value: text.slice(0, 200),
      }),
    )
  }
  errors.throwIfAny()
}

/** Explains a change between the comparison and the write. Throws every other error as it is. */
function asConflict(error: unknown): never {
  if (!(error instanceof HttpError) || error.status !== 412) throw error
  throw unprocessable({
    base: ['Somebody else changed this record at the same moment. Check the values, then send the form again.'],
  })
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
