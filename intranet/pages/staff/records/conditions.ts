import { shownIn, zonedTime } from '@campus/engine/base/zoned-times'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { type Html, html, say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import { addressWith, type Condition, hiddenFields, type ListAddress, withCondition } from './address.ts'
import type { StaffContext } from './caller.ts'
import { findByName } from './load.ts'
import { pathOf, type Routed, routedResources } from './resource.ts'
import { isTime, resourceNamed } from './value.ts'

const WAYS = ['is', 'from', 'until', 'contains'] as const

export function fieldsToNarrowBy({ index }: Resource) {
  const { sort, filter = sort, range = sort, customFilters = {}, search = {} } = index
  return {
    filter: [...new Set([...filter, ...Object.keys(customFilters)])],
    range,
    search: Object.keys(search),
  }
}

export function conditionsForm(context: PersonPageContext, resource: Routed, address: ListAddress): Html {
  const { filter, range, search } = fieldsToNarrowBy(resource)
  const names = [...new Set([...filter, ...range, ...search])].toSorted((one, other) => one.localeCompare(other, 'en'))
  const { conditions } = address
  return html`
  <form class="filters" method="get" action="${pathOf(resource)}" role="search" aria-label="${say('Conditions')}">
    ${hiddenFields(resource, address)}
    <div class="field"><label for="field">${say('Field')}</label>
      <select id="field" name="field">
        ${search.length > 0 ? html`<option value="">${say('any text')}</option>` : ''}
        ${names.map((name) => html`<option>${name}</option>`)}</select></div>
    <div class="field"><label for="way">${say('Condition')}</label>
      <select id="way" name="way"><option value="is">${say('is')}</option><option value="from">${say('is at least')}</option>
        <option value="until">${say('is at most')}</option>${
          search.length > 0 ? html`<option value="contains">${say('contains')}</option>` : ''
        }</select></div>
    <div class="field"><label for="value">${say('Value')}</label><input id="value" name="value" type="search"></div>
    <button class="second">${say('Add')}</button>
  </form>
  ${
    conditions.length === 0
      ? ''
      : html`<ul class="conditions">${conditions.map(
          (one) => html`<li>${conditionText(context, resource, one)}
            <a href="${addressWith(resource, address, { conditions: conditions.filter((other) => other !== one) })}" aria-label="${say('Remove the condition: {condition}', { condition: conditionText(context, resource, one) })}">×</a></li>`,
        )}<li><a href="${addressWith(resource, address, { conditions: [] })}">${say('Remove all')}</a></li></ul>`
  }`
}

function conditionText(context: PersonPageContext, resource: Resource, { kind, name, value }: Condition): string {
  const shown = (text: string) => (isTime({ resource, name }) ? timeText(context, text) : text)
  if (kind === 'search')
    return name === '' ? say('contains “{value}”', { value }) : say('{name} contains “{value}”', { name, value })
  if (kind === 'filter') return say('{name} is {value}', { name, value: value.split(',').map(shown).join(', ') })
  const [from = '', until = ''] = value.split(',')
  if (until === '') return say('{name} is at least {value}', { name, value: shown(from) })
  if (from === '') return say('{name} is at most {value}', { name, value: shown(until) })
  return say('{name} from {from} to {until}', { name, from: shown(from), until: shown(until) })
}

function timeText({ timeZone }: PersonPageContext, text: string): string {
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) return text
  const { day, time: hour } = shownIn(timeZone, time)
  return `${day} ${hour}`
}

/** Returns the address with the condition of a sent form, or undefined if no form was sent. */
export async function addedCondition(
  context: StaffContext,
  resource: Routed,
  address: ListAddress,
): Promise<string | undefined> {
  const { query } = context
  const way = WAYS.find((one) => one === query.text('way'))
  if (way === undefined) return undefined
  const name = query.text('field')
  const value = query.text('value').trim()
  const { search } = fieldsToNarrowBy(resource)
  const added: Condition =
    name === '' || (way === 'contains' && search.includes(name))
      ? { kind: 'search', name, value }
      : way === 'is' || way === 'contains'
        ? { kind: 'filter', name, value: await valueMeant(context, resource, name, value) }
        : rangeOf(context, resource, address.conditions, { name, way, value })
  return addressWith(resource, address, {
    conditions: value === '' && added.kind === 'search' ? address.conditions : withCondition(address.conditions, added),
  })
}

/** Returns the id of a record that was named, or the text, which the API then refuses. */
async function valueMeant(context: StaffContext, resource: Routed, name: string, value: string): Promise<string> {
  const { registry } = context.dependencies
  const referred = resourceNamed(registry, { resource, name })
  const of = routedResources(registry).find((one) => one === referred)
  if (!of || value === '') return value
  return String((await findByName(context, of, value)) ?? value)
}

type Bound = { readonly name: string; readonly way: 'from' | 'until'; readonly value: string }

/** Moves one end of a range. A day begins and ends in the reader's zone. */
function rangeOf(
  { timeZone }: PersonPageContext,
  resource: Resource,
  conditions: readonly Condition[],
  { name, way, value }: Bound,
): Condition {
  const present = conditions.find((one) => one.kind === 'range' && one.name === name)?.value.split(',') ?? []
  const [from = '', until = ''] = present
  const time = isTime({ resource, name })
    ? zonedTime(timeZone, value, way === 'from' ? '00:00' : '23:59:59')?.toISOString()
    : undefined
  const bound = time ?? value
  return { kind: 'range', name, value: way === 'from' ? `${bound},${until}` : `${from},${bound}` }
}
