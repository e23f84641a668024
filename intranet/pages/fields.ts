import { filled, type Message } from '@campus/engine/base/languages/say'
import type { FieldErrors, HttpError } from '@campus/engine/errors'
import { CSRF_FIELD } from './csrf.ts'
import { type Html, html, say } from './html.ts'
import type { FormState, PageContext } from './page.ts'

export const csrfField = ({ csrfToken }: PageContext): Html =>
  html`<input type="hidden" name="${CSRF_FIELD}" value="${csrfToken}">`

export const hiddenInputs = (fields: Readonly<Record<string, string | number>>): readonly Html[] =>
  Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

type ButtonOptions = {
  readonly kind?: 'second' | 'danger'
  readonly fields?: Readonly<Record<string, string | number>>
  /** Accessible name, if several buttons of a page have the same text. It begins with that text. */
  readonly label?: string
}

export const buttonForm = (
  context: PageContext,
  action: string,
  text: string,
  options: ButtonOptions = {},
): Html => html`
  <form method="post" action="${action}">
    ${csrfField(context)}
    ${hiddenInputs(options.fields ?? {})}
    <button class="${options.kind ?? ''}"${attribute('aria-label', options.label)}>${text}</button>
  </form>`

type FieldOptions = {
  readonly name: string
  readonly label: string
  readonly hint?: string | Html | undefined
  readonly type?: 'text' | 'password' | 'url' | 'search' | 'number' | 'email' | 'date' | 'time' | 'datetime-local'
  readonly autocomplete?: string
  readonly inputMode?: 'numeric'
  readonly value?: string | null | undefined
  readonly required?: boolean
  readonly rows?: number
  /** Resource whose records a script suggests. */
  readonly suggestionsOf?: string
}

/** Never sends a password back. */
export function textField(state: FormState, options: FieldOptions): Html {
  const { name, type = 'text', required = false, rows } = options
  const value = type === 'password' ? '' : (state.form?.text(name) ?? options.value ?? '')
  const attributes = html`id="${name}" name="${name}"${describedBy(state, options)}${attribute(
    'autocomplete',
    options.autocomplete,
  )}${attribute('inputmode', options.inputMode)}${attribute('data-suggestions', options.suggestionsOf)}${invalid(state, name)}${required ? html` required` : ''}`
  const control =
    rows === undefined
      ? html`<input type="${type}" value="${value}" ${attributes}>`
      : html`<textarea rows="${rows}" ${attributes}>
${value}</textarea>`
  return labelled(state, options, control)
}

type Labels = Pick<FieldOptions, 'name' | 'label' | 'hint'>

const labelled = (state: FormState, { name, label, hint }: Labels, control: Html): Html => html`
  <div class="field">
    <label for="${name}">${label}</label>
    ${hint ? html`<span class="hint" id="${name}-hint">${hint}</span>` : ''}
    ${errorsOf(name, state.errors[name] ?? [])}
    ${control}
  </div>`

function describedBy(state: FormState, { name, hint }: Labels): Html | '' {
  const ids = [...(hint ? [`${name}-hint`] : []), ...(state.errors[name]?.length ? [`${name}-fault`] : [])]
  return attribute('aria-describedby', ids.join(' '))
}

const invalid = (state: FormState, name: string): Html | '' =>
  state.errors[name]?.length ? html` aria-invalid="true"` : ''

type Choice = { readonly value: string; readonly label: string; readonly hint?: string }
/** The label of an API word is not translated. */
type SelectChoice = Choice & { readonly isApiWord?: boolean }
type FileOptions = Labels & {
  /** Media types. */
  readonly accept: string
  /** Whether a script lets people crop the picture. */
  readonly crops?: boolean
}

export function fileField(state: FormState, options: FileOptions): Html {
  const { name, accept, crops = false } = options
  return labelled(
    state,
    options,
    html`<input type="file" id="${name}" name="${name}" accept="${accept}"${describedBy(state, options)}${crops ? html` data-crops` : ''} required>`,
  )
}

type ChoicesOptions = {
  readonly name: string
  readonly label: string
  readonly choices: readonly Choice[]
  readonly chosen: readonly string[]
}

export const checkboxes = (state: FormState, options: ChoicesOptions): Html =>
  choiceFields(state, options, { type: 'checkbox', sentAs: `${options.name}[]`, sent: state.form?.list(options.name) })

export const radios = (state: FormState, options: ChoicesOptions): Html =>
  choiceFields(state, options, {
    type: 'radio',
    sentAs: options.name,
    sent: state.form && [state.form.text(options.name)],
  })

type ChoiceFields = {
  readonly type: 'checkbox' | 'radio'
  readonly sentAs: string
  readonly sent: readonly string[] | undefined
}

function choiceFields(
  state: FormState,
  { name, label, choices, chosen }: ChoicesOptions,
  { type, sentAs, sent }: ChoiceFields,
): Html {
  const errors = state.errors[name] ?? []
  const present = new Set(sent ?? chosen)
  return html`
  <fieldset class="field"${describedBy(state, { name, label })}>
    <legend>${label}</legend>
    ${errorsOf(name, errors)}
    ${choices.map(
      (choice) => html`
    <div class="choice">
      <input type="${type}" id="${name}-${choice.value}" name="${sentAs}" value="${choice.value}"${
        present.has(choice.value) ? html` checked` : ''
      }>
      <label for="${name}-${choice.value}">${choice.label}${choice.hint ? html` <span class="hint">${choice.hint}</span>` : ''}</label>
    </div>`,
    )}
  </fieldset>`
}

type SelectOptions = Labels & {
  readonly choices: readonly SelectChoice[]
  readonly chosen: string
  /** Whether browsers reject the empty choice. */
  readonly required?: boolean
}

export function selectField(state: FormState, options: SelectOptions): Html {
  const { name, choices, chosen, required = false } = options
  const present = state.form ? state.form.text(name) : chosen
  return labelled(
    state,
    options,
    html`<select id="${name}" name="${name}"${describedBy(state, options)}${invalid(state, name)}${required ? html` required` : ''}>
      ${choices.map(
        ({ value, label: text, isApiWord = false }) =>
          html`<option value="${value}"${value === present ? html` selected` : ''}${isApiWord ? html` translate="no"` : ''}>${text}</option>`,
      )}
    </select>`,
  )
}

export function errorSummary(errors: FieldErrors, labels: Readonly<Record<string, string>>): Html | '' {
  const entries = Object.entries(errors)
  if (entries.length === 0) return ''
  return html`
  <div class="problem" role="alert">
    <p>${say('This could not be done:')}</p>
    <ul>${entries.flatMap(([field, texts]) => texts.map((text) => html`<li>${faultOf(field, text, labels)}</li>`))}</ul>
  </div>`
}

/** `base` stands for the whole form. */
export const faultOf = (field: string, text: Message, labels: Readonly<Record<string, string>>): string =>
  field === 'base' ? say(text) : say('{field}: {fault}', { field: labels[field] ?? field, fault: filled(text) })

export const refusalText = ({ text, errors }: HttpError): string =>
  errors
    ? Object.entries(errors)
        .flatMap(([field, texts]) => texts.map((one) => faultOf(field, one, {})))
        .join('; ')
    : say(text)

const errorsOf = (name: string, errors: readonly Message[]): Html | '' =>
  errors.length > 0
    ? html`<span class="fault" id="${name}-fault">${errors.map((one) => say(one)).join('; ')}</span>`
    : ''

const attribute = (name: string, value: string | undefined) => (value ? html` ${name}="${value}"` : '')
