import { message } from '@campus/engine/base/languages/say'
import { shownIn, zonedTime } from '@campus/engine/base/zoned-times'
import type { FieldErrors } from '@campus/engine/errors'
import { type Column, punctuated } from '@campus/engine/rest/declare/fields/field'
import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { meaningOf } from '@campus/engine/rest/openapi/meaning'
import { words } from '@campus/engine/rest/openapi/names'
import { CHOSEN_ID, mayChooseId } from '@campus/engine/rest/write/chosen-ids'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { selectField, textField } from '../../fields.ts'
import { type Html, html, say } from '../../html.ts'
import type { Form, FormState, PersonPageContext } from '../../page.ts'
import type { StaffContext } from './caller.ts'
import { findByName } from './load.ts'
import { isObject, type Routed, routedResources, type ShownRecord } from './resource.ts'
import { resourceNamed } from './value.ts'

export type Input = {
  readonly name: string
  readonly schema: JsonSchema
  readonly hint: Html | undefined
  readonly isRequired: boolean
  /** Whether the value may have several lines. */
  readonly isLong: boolean
  readonly references: string | undefined
}

/** Returns inputs for columns, further parameters and links, but not for files or parts. */
export function inputsOf(
  { dependencies: { registry } }: PersonPageContext,
  resource: Routed,
  isNew: boolean,
): readonly Input[] {
  const { accepts = [], requires = [], extra = {}, links = {}, files = [] } = resource.payload ?? {}
  const fromColumn = (name: string, column: Column, hint: string | undefined, isRequired: boolean): Input => ({
    name,
    schema: (column.storing?.kind ?? column.kind).schema,
    hint: hint ? html`<span lang="en">${punctuated(hint).replaceAll('`', '')}</span>` : undefined,
    isLong: column.kind.isLong === true || column.kind.schema.type === 'object',
    isRequired: isNew && isRequired,
    references: resourceNamed(registry, { resource, name })?.name,
  })
  const stored = accepts.flatMap((name) => {
    const column = resource.stored(name)
    return column && !files.includes(name)
      ? [fromColumn(name, column, meaningOf(registry, resource, name), requires.includes(name))]
      : []
  })
  const further = Object.entries(extra).flatMap(([name, column]) =>
    column.ignored || files.includes(name)
      ? []
      : [fromColumn(name, column, column.description, column.required === true)],
  )
  const linked = Object.entries(links).map(([name, { resource: of }]) => ({
    name,
    schema: IDS,
    hint: html`${say('Ids of {records}, with commas between: all that it is to have.', { records: words(of) })}`,
    isRequired: false,
    isLong: false,
    references: undefined,
  }))
  return [...stored, ...further, ...linked]
}

/** Staff who may choose the id of a record have a field for it. */
export const inputsOfNew = (context: StaffContext, resource: Routed): readonly Input[] => [
  ...inputsOf(context, resource, true),
  ...(mayChooseId(context.dependencies.registry, resource, context.caller) ? [chosenIdInput()] : []),
]

const chosenIdInput = (): Input => ({
  name: 'id',
  schema: CHOSEN_ID.kind.schema,
  hint: html`${say('Blank: the next id.')}`,
  isRequired: false,
  isLong: false,
  references: undefined,
})

const IDS: JsonSchema = { type: 'array', items: { type: 'integer' } }

export function inputField(context: PersonPageContext, state: FormState, input: Input, present: unknown): Html {
  const { name, schema, isRequired: required, isLong, references } = input
  const common = { name, label: name, value: textIn(context, input, present) }
  if (choicesOf(schema).length > 0)
    return selectField(state, {
      ...common,
      hint: hintOf(input),
      choices: [{ value: '', label: '–' }, ...choicesOf(schema)],
      chosen: common.value,
    })
  return textField(state, {
    ...common,
    hint: hintOf(input),
    required,
    ...(isLong ? { rows: 3 } : {}),
    type: /password|secret/.test(name) ? 'password' : (INPUT_TYPES[String(schema.format)] ?? 'text'),
    ...(references ? { suggestionsOf: references } : {}),
    autocomplete: 'off',
  })
}

const hintOf = ({ hint, references }: Input): Html => html`${hint ?? ''} ${references ? say('An id or a name.') : ''}`

const INPUT_TYPES: Readonly<Record<string, 'date' | 'datetime-local'>> = {
  'date-time': 'datetime-local',
  date: 'date',
}

const choicesOf = ({ type, enum: all = [] }: JsonSchema) =>
  type === 'boolean'
    ? [
        { value: 'true', label: say('yes') },
        { value: 'false', label: say('no') },
      ]
    : all.flatMap((value) => (value === null ? [] : [{ value: String(value), label: String(value) }]))

export function textIn({ timeZone }: PersonPageContext, { schema }: Input, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (schema.format === 'date-time' && typeof value === 'string') {
    const { day, time } = shownIn(timeZone, new Date(value))
    return `${day}T${time}`
  }
  if (Array.isArray(value)) return value.map((one) => (isObject(one) ? one.id : one)).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns the value of a field in a record, or the id of the embedded record if the record shows that instead. */
export function presentValue(resource: Routed, record: ShownRecord, name: string): unknown {
  if (name in record) return record[name]
  const holder = Object.entries(resource.fields).find(([, { embeds }]) => embeds?.by === name)?.[0]
  const embedded = holder === undefined ? undefined : record[holder]
  return isObject(embedded) ? embedded.id : undefined
}

/**
 * Returns the fields that a sent form changed. Throws 422 for values that this page parses. The API checks the others.
 */
export async function sentValues(
  context: StaffContext,
  inputs: readonly Input[],
  form: Form,
): Promise<Record<string, unknown>> {
  const errors = new ValidationErrors()
  const sent: Record<string, unknown> = {}
  for (const input of inputs) {
    if (!isEdited(form, input)) continue
    const text = withPlainBreaks(input, form.text(input.name))
    const value = await valueIn(context, input, text)
    if (isFault(value)) errors.add(input.name, value.fault)
    else sent[input.name] = value
  }
  errors.throwIfAny()
  return sent
}

/** Returns the name of the hidden field with the original text of a field. Only edited fields are written. */
export const formerName = (name: string): string => `former_${name}`

export const isEdited = (form: Form, input: Input): boolean =>
  withPlainBreaks(input, form.text(input.name)) !== withPlainBreaks(input, form.text(formerName(input.name)))

/**
 * Normalizes the line breaks of a text. Browsers send line breaks of a text area as CRLF, and remove them from a field of one
 * line.
 */
export const withPlainBreaks = ({ isLong }: Input, text: string): string =>
  text.replace(/\r\n?|\n/g, isLong ? '\n' : '')

type Fault = { readonly fault: FieldErrors[string][number] }
const isFault = (value: unknown): value is Fault => isObject(value) && 'fault' in value

async function valueIn(context: StaffContext, { schema, references }: Input, text: string): Promise<unknown> {
  const { registry } = context.dependencies
  if (text.trim() === '') return null
  const of = routedResources(registry).find(({ name }) => name === references)
  if (of) {
    const id = await findByName(context, of, text.trim())
    return (
      id ?? {
        fault: message('“{text}” is no {record} or the name of several: use its id', {
          text,
          record: words(of.singular),
        }),
      }
    )
  }
  if (schema.format === 'date-time') {
    const [day = '', time = ''] = text.split('T')
    return zonedTime(context.timeZone, day, time)?.toISOString() ?? text
  }
  if (schema.type === 'array') return text.split(',').map((one) => one.trim())
  return schema.type === 'object' ? parsedOr(text) : text
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return { fault: message('must be JSON') }
  }
}
