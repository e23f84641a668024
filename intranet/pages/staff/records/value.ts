import type { Resource } from '@campus/engine/rest/declare/declaration'
import type { Registry } from '@campus/engine/rest/declare/registry'
import { type Html, html, say } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { formatNumber, timeOf } from '../../times.ts'
import { isObject, nameOf, pathOf } from './resource.ts'

type Place = { readonly resource: Resource; readonly name: string }
type Limits = { readonly characters: number; readonly items: number }

export const IN_SHORT: Limits = { characters: 60, items: 2 }
export const AT_LENGTH: Limits = { characters: 4_000, items: 50 }

export function valueText(context: PageContext, place: Place, value: unknown, limits: Limits): Html | string {
  const { registry } = context.dependencies
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? say('yes') : say('no')
  const of = referredBy(registry, place)
  if (Array.isArray(value)) return listText(context, place, value, limits)
  if (isObject(value) && !of && !Object.values(value).some((one) => one !== null && !isObject(one))) return ''
  if (isObject(value))
    return of ? recordLink(of, value) : html`<span class="code">${cut(JSON.stringify(value), limits)}</span>`
  if (of && place.name !== 'id') return html`<a href="${pathOf(of, String(value))}">${value}</a>`
  if (typeof value === 'number') return place.name.endsWith('id') ? String(value) : formatNumber(value)
  const text = String(value)
  if (/^https?:/.test(text)) return html`<span class="code">${cut(text, limits)}</span>`
  const time = isTime(place) ? new Date(text) : undefined
  return time && !Number.isNaN(time.getTime()) ? timeOf(context, time) : cut(text, limits)
}

function listText(context: PageContext, place: Place, values: readonly unknown[], limits: Limits): Html {
  const shown = values.slice(0, limits.items).map((one) => valueText(context, place, one, limits))
  const more = values.length - shown.length
  return html`${shown.map((one, index) => html`${index > 0 ? ', ' : ''}${one}`)}${
    more > 0 ? html` <span class="quiet">${say('and {count, number} more', { count: more })}</span>` : ''
  }`
}

const recordLink = (of: Resource, record: Readonly<Record<string, unknown>>): Html | string =>
  typeof record.id === 'number' ? html`<a href="${pathOf(of, record.id)}">${nameOf(record)}</a>` : ''

export function referredBy(registry: Registry, { resource, name }: Place): Resource | undefined {
  const field = resource.fields[name]
  const of = field?.embeds?.resource ?? field?.stored?.references ?? field?.ids?.of
  return of === undefined ? undefined : registry.get(of)
}

/** Returns the resource that a sent value refers to, by the field or by a name like `campus_id`. */
export const resourceNamed = (registry: Registry, place: Place): Resource | undefined =>
  referredBy(registry, place) ?? registry.resources.find(({ singular }) => place.name === `${singular}_id`)

export const isTime = ({ resource, name }: Place) => resource.stored(name)?.kind.sqlType === 'timestamptz'

const cut = (text: string, { characters }: Limits) =>
  text.length > characters ? `${text.slice(0, characters)}…` : text
