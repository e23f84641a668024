import { message } from '@campus/engine/base/languages/say'
import { HttpError, unprocessable } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { csrfField, errorSummary } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import { type Form, type FormState, formPage, type PageContent, pageContent, redirectTo } from '../../page.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { type StaffContext, staffContext } from './caller.ts'
import { consequences } from './consequences.ts'
import {
  formerName,
  type Input,
  inputField,
  inputsOf,
  inputsOfNew,
  isEdited,
  presentValue,
  sentValues,
  textIn,
  withPlainBreaks,
} from './inputs.ts'
import { call, loadRecord, noPage } from './load.ts'
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

const creation = formPage({
  path: `${RECORDS_PATH}/:resource/new`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    return pageContent(
      say('New record: {record}', { record: resource.singular }),
      recordForm(context, state, {
        inputs: inputsOfNew(staff, resource),
        present: () => undefined,
        action: pathOf(resource, 'new'),
        button: say('Create'),
        call: `POST ${listRoute(resource)}`,
        before: consequences(resource, 'create'),
      }),
      { trail: [trailOf(resource)], scripts: ['suggestions'] },
    )
  },
  async submit(context, form) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    if (!context.dependencies.api.has('POST', listRoute(resource))) throw noPage()
    const body = await bodyOf(staff, resource, inputsOfNew(staff, resource), form)
    const { value } = await call<ShownRecord | readonly ShownRecord[]>(staff, {
      method: 'POST',
      path: listRoute(resource),
      body,
    }).catch(explainRefusal)
    const [first = {}] = [value].flat()
    const { id } = unwrapped(resource, first)
    // A response may not name the record.
    return redirectTo(typeof id === 'number' ? pathOf(resource, id) : pathOf(resource), {
      notice: say('Created: {call}', { call: `POST ${listRoute(resource)}` }),
    })
  },
})

/** Sends only the changed fields. */
const change = formPage({
  path: `${RECORDS_PATH}/:resource/:id/edit`,
  access: 'staff',
  async show(context, state) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    const loaded = await loadRecord(staff, resource).catch((error) => {
      if (state.form && isRefusal(error)) return undefined
      throw error
    })
    if (!loaded) return unavailableRecord(staff, resource, state)
    const { record, id, name } = loaded
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
      { trail: [trailOf(resource), { path: pathOf(resource, id), label: name }], scripts: ['suggestions'] },
    )
  },
  async submit(context, form) {
    const resource = resourceOf(context)
    const staff = await staffContext(context)
    if (!context.dependencies.api.has('PATCH', recordRoute(resource))) throw noPage()
    const { id, record, answer } = await loadRecord(staff, resource).catch(explainRefusal)
    const inputs = inputsOf(context, resource, false)
    requireNoConflicts(context, inputs, form, (input) => presentValue(resource, record, input.name))
    const body = await bodyOf(staff, resource, inputs, form)
    const headers = answer.etag === undefined ? {} : { 'if-match': answer.etag }
    await call(staff, {
      method: 'PATCH',
      path: recordRoute(resource),
      params: { id },
      body,
      headers,
    }).catch(explainRefusal)
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
  /** Without a button the form cannot be sent. */
  readonly button: string | undefined
  /** The API call of the form, shown beside the button. */
  readonly call: string
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
        html`<input type="hidden" name="${formerName(input.name)}" value="${originalText(context, state, input, present(input))}">`,
    )}
    <div class="columns">${[...required, ...others].map((input) => {
      // A field that was not edited shows the stored value.
      const inputState = state.form && isEdited(state.form, input) ? state : { ...state, form: undefined }
      return inputField(context, inputState, input, present(input))
    })}</div>
    ${before}
    ${button === undefined ? '' : html`<div class="actions"><button>${button}</button> <span class="quiet code">${made}</span></div>`}
  </form>`
}

/**
 * Shows what the person typed for a record that was deleted or became unreadable. The form creates a new record, if the
 * person may.
 */
function unavailableRecord(context: StaffContext, resource: Routed, { form, errors }: FormState): PageContent {
  const mayCreate = context.dependencies.api.may(context.caller, 'POST', listRoute(resource))
  return pageContent(
    say('This record is no longer available'),
    recordForm(
      context,
      { form: form && withoutOriginals(form), errors },
      {
        inputs: mayCreate ? inputsOfNew(context, resource) : inputsOf(context, resource, false),
        present: () => undefined,
        action: pathOf(resource, 'new'),
        button: mayCreate ? say('Create a new record') : undefined,
        call: `POST ${listRoute(resource)}`,
        before: html`<p>${
          mayCreate
            ? say(
                'Your changes were not saved. The form still has your values: create a new record with them, or copy them.',
              )
            : say('Your changes were not saved. The form still has your values, so that you can copy them.')
        }</p>
        ${mayCreate ? consequences(resource, 'create') : ''}`,
      },
    ),
    { trail: [trailOf(resource)], scripts: ['suggestions'] },
  )
}

/** Returns a form in which every field that is not blank counts as edited. */
const withoutOriginals = (form: Form): Form => ({
  ...form,
  text: (name) => (name.startsWith(formerName('')) ? '' : form.text(name)),
})

/**
 * Returns the original value, which the form sends beside the edited one. An edited field keeps its original value
 * until the form has shown an error for it. Every other field takes the stored value.
 */
function originalText(context: PersonPageContext, state: FormState, input: Input, present: unknown): string {
  const { form, errors } = state
  const keepsOriginal = form !== undefined && isEdited(form, input) && !(input.name in errors)
  return (keepsOriginal ? form.text(formerName(input.name)) : undefined) ?? textIn(context, input, present)
}

/** Throws 422 with an error for each edited field that somebody else changed after the form was shown. */
function requireNoConflicts(
  context: PersonPageContext,
  inputs: readonly Input[],
  form: Form,
  present: (input: Input) => unknown,
): void {
  const errors = new ValidationErrors()
  for (const input of inputs) {
    const originalField = formerName(input.name)
    if (!form.has(originalField) || !isEdited(form, input)) continue
    const stored = textIn(context, input, present(input))
    const isStored = (name: string) => withPlainBreaks(input, form.text(name)) === withPlainBreaks(input, stored)
    if (isStored(originalField) || isStored(input.name)) continue
    errors.add(
      input.name,
      message(
        'was changed to “{value}” after you opened this page. To replace it with your value, send the form again.',
        { value: stored.slice(0, 200) },
      ),
    )
  }
  errors.throwIfAny()
}

/**
 * Makes a refusal an error of the form, which keeps what the person typed. A 412 means that somebody changed the record
 * after `requireNoConflicts` compared it. Rethrows faults of the service.
 */
function explainRefusal(error: unknown): never {
  if (!isRefusal(error) || error.errors) throw error
  const { status, text, headers, reason } = error
  if (status !== 412) throw new HttpError(status, text, { headers, reason, errors: { base: [text] } })
  throw unprocessable({
    base: ['Somebody else has just changed this record. Check the values, then send the form again.'],
  })
}

const isRefusal = (error: unknown): error is HttpError => error instanceof HttpError && error.status < 500

/** Throws 422 if no field was edited. */
async function bodyOf(
  context: StaffContext,
  { singular }: Routed,
  inputs: readonly Input[],
  form: Form,
): Promise<Record<string, Record<string, unknown>>> {
  const sent = await sentValues(context, inputs, form)
  if (Object.keys(sent).length === 0) throw unprocessable({ base: ['Nothing was changed.'] })
  return { [singular]: sent }
}
