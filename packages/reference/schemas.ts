import type { JsonSchema } from '@campus/engine/rest/declare/fields/kinds'
import { type Html, html, say } from '@campus/intranet/pages/html'
import type { Reference } from './model.ts'
import { prose } from './prose.ts'

export function propertiesOf(schema: JsonSchema) {
  const required: readonly unknown[] = [schema.required ?? []].flat()
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    isRequired: required.includes(name),
  }))
}

/** Describes the type of a value, with links to the fields of records. */
export function typeOf(reference: Reference, schema: JsonSchema): Html {
  const named = referredTo(reference, schema)
  if (named) return named
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return joined(alternatives.map((one) => typeOf(reference, one)))
  if (Array.isArray(schema.enum))
    return html`one of ${schema.enum.map((value) => html`<code>${String(value)}</code> `)}`
  if (schema.const !== undefined) return html`<code>${String(schema.const)}</code>`
  if (schema.type === 'array') return html`list of ${typeOf(reference, schema.items ?? {})}`
  const types = [schema.type].flat().filter((type) => type !== undefined && type !== 'null')
  const nullable = [schema.type].flat().includes('null') ? ' or null' : ''
  const format = FORMATS[String(schema.format)] ?? ''
  return html`${format || types.join(' or ') || 'anything'}${boundsOf(schema)}${nullable}`
}

/** Describes the type of a value as plain text. */
export const typeText = (reference: Reference, schema: JsonSchema): string =>
  String(typeOf(reference, schema))
    .replace(/<[^>]+>/g, '')
    .replace(/&#39;|&quot;/g, "'")
    .trim()

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'time',
  date: 'date',
  uri: 'address',
}

function referredTo(reference: Reference, { $ref }: JsonSchema): Html | undefined {
  if (typeof $ref !== 'string') return undefined
  const name = $ref.split('/').at(-1) ?? ''
  const anchor = reference.anchorOf(name)
  if (anchor) return html`<a href="/apidoc/${anchor.resource}#${anchor.anchor}">${name}</a>`
  const target = reference.resolve({ $ref })
  return target.type === 'object' ? html`object` : typeOf(reference, target)
}

const joined = (parts: readonly Html[]): Html =>
  html`${parts.map((part, index) => html`${index > 0 ? ' or ' : ''}${part}`)}`

function boundsOf({ minimum, maximum, maxLength, minItems, maxItems }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, at least ${minimum}`
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  if (minItems !== undefined && minItems === maxItems) return ` (${minItems})`
  return ''
}

type ListOptions = {
  readonly requiredMatters?: boolean
  /** Schemas around the list. A recursive schema is shown once. */
  readonly within?: readonly unknown[]
  /** Prefix of the anchors of the fields. */
  readonly anchored?: string
  /** Whether the fields of inner objects are unfolded. */
  readonly isOpen?: boolean
}

export const fieldList = (reference: Reference, schema: JsonSchema, options: ListOptions = {}): Html => html`
      <dl class="fields">${propertiesOf(schema).map(
        ({ name, schema: property, isRequired }) => html`
        <div${options.anchored ? html` id="${options.anchored}-${name}"` : ''}><dt><code>${name}</code> <span class="type">${typeOf(reference, property)}</span>
          ${options.requiredMatters && isRequired ? html`<strong class="needed">${say('required')}</strong>` : ''}</dt>${detail(reference, property, options)}</div>`,
      )}
      </dl>`

function detail(reference: Reference, schema: JsonSchema, options: ListOptions): Html | '' {
  const fields = inner(reference, schema, options)
  if (!schema.description && !fields) return ''
  return html`<dd>${schema.description ? prose(String(schema.description)) : ''}${fields}</dd>`
}

/** Renders the fields of an object that has no page. */
function inner(
  reference: Reference,
  schema: JsonSchema,
  { within = [], anchored: _, isOpen = false, ...options }: ListOptions,
): Html | '' {
  const item = schema.type === 'array' ? (schema.items ?? {}) : schema
  const isShownElsewhere = typeof item.$ref === 'string' && reference.anchorOf(item.$ref.split('/').at(-1) ?? '')
  const target = reference.resolve(item)
  if (isShownElsewhere || within.includes(target) || propertiesOf(target).length === 0) return ''
  return html`
          <details class="more"${isOpen ? html` open` : ''}><summary>${say('its fields')}</summary>${fieldList(reference, target, { ...options, within: [...within, target] })}</details>`
}
