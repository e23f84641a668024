import { filled, type Message, message } from '../../base/languages/say.ts'
import { suggesting } from '../../base/text/nearest.ts'
import { wrongParameter } from '../../errors.ts'
import type { Condition } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { type Kind, type SqlValue, textKind, WrongValue } from '../declare/fields/kinds.ts'
import type { ListRequest } from './list-request.ts'

/** A list request checked against the declaration, so that it contains only declared names. */
export type Plan = {
  readonly resource: Resource
  readonly conditions: readonly Condition[]
  readonly order: readonly { readonly name: string; readonly descending: boolean }[]
  readonly limit: number
  readonly offset: number
}

/** Records of a resource that meet the conditions. */
export type RecordSet = Pick<Plan, 'resource' | 'conditions'>

export type WholeList = Omit<Plan, 'limit' | 'offset'>

/** Throws 400 (spec: lists 12). */
export function planList(resource: Resource, request: ListRequest, fixed: readonly Condition[]): Plan {
  return {
    resource,
    conditions: [...fixed, ...planConditions(resource, request)],
    order: planOrder(resource, request),
    limit: request.perPage,
    offset: Math.min((request.page - 1) * request.perPage, Number.MAX_SAFE_INTEGER),
  }
}

export function planConditions(resource: Resource, request: ListRequest): Condition[] {
  return [
    ...[...request.filters].map(([name, texts]) => planFilter(resource, name, texts)),
    ...[...request.ranges].map(([name, bounds]) => planRange(resource, name, bounds)),
    ...[...request.searches].map(([name, text]) => planSearch(resource, name, text)),
  ]
}

/** Plans `filter[name]` (spec: lists 6, 7). */
export function planFilter(
  resource: Resource,
  name: string,
  texts: readonly string[],
  parameter = `filter[${name}]`,
): Condition {
  const { filter = resource.index.sort, customFilters = {} } = resource.index
  const custom = Object.hasOwn(customFilters, name) ? customFilters[name] : undefined
  if (!custom && !filter.includes(name)) throw unknownName('filter', name, [...filter, ...Object.keys(customFilters)])
  if (texts.length === 0) return { kind: 'nothing' }
  if (custom) return { kind: 'custom filter', filter: custom, values: readAsked(custom.kind, texts, parameter) }
  const type = kindOf(resource, name)
  return { kind: 'filter', name, type, values: readAsked(type, texts, parameter) }
}

function planRange(resource: Resource, name: string, [min, max]: readonly [string, string]): Condition {
  const { range = resource.index.sort } = resource.index
  if (!range.includes(name)) throw unknownName('range', name, range)
  const type = kindOf(resource, name)
  const parameter = `range[${name}]`
  const [low, high] = [readBound(type, 'min', min, parameter), readBound(type, 'max', max, parameter)]
  if (low === null && high === null) {
    throw wrongParameter(parameter, message('range[{name}] needs a minimum, a maximum or both: min,max.', { name }))
  }
  return { kind: 'range', name, type, min: low, max: high }
}

const MAX_WORDS = 10

function planSearch(resource: Resource, name: string, text: string): Condition {
  const { search = {} } = resource.index
  const names =
    name === '' ? [...new Set(Object.values(search).flat())] : Object.hasOwn(search, name) ? search[name] : undefined
  if (!names?.length) throw unknownName('search', name, Object.keys(search))
  const [sought] = readValues(textKind({ max: 255 }).read, [text], 'search')
  const words = [...new Set(String(sought).trim().split(/\s+/))]
  if (words.length > MAX_WORDS)
    throw wrongParameter('search', message('search takes at most {most} words.', { most: MAX_WORDS }))
  return { kind: 'search', names, words }
}

function planOrder(resource: Resource, { sorts }: ListRequest): Plan['order'] {
  for (const { name } of sorts) {
    if (!resource.index.sort.includes(name)) {
      const { sort } = resource.index
      const fields = sort.join(', ')
      const fault =
        name === ''
          ? message('sort has a place without a field. You can only sort on: [{fields}]', { fields })
          : message('The {name} field is not sortable. You can only sort on: [{fields}]', { name: shown(name), fields })
      throw wrongParameter('sort', suggesting(fault, name, sort), 'Sort Error')
    }
  }
  return orderOf(resource, firstOfEach(sorts))
}

/**
 * Returns the order of a list (spec: lists 4). The default sort, in the direction of the first field, and then the id
 * break ties, so that pages do not overlap. One index thus has the order by a column and the default order for each of
 * its values.
 */
export function orderOf({ index }: Resource, sorts: Plan['order']): Plan['order'] {
  const usual = index.defaultSort.map((part) => ({ name: part.replace(/^-/, ''), descending: part.startsWith('-') }))
  const [first = usual[0]] = sorts
  const isTurned = usual[0]?.descending !== first?.descending
  const ties = usual.map(({ name, descending }) => ({ name, descending: descending !== isTurned }))
  const order = firstOfEach([...sorts, ...ties, { name: 'id', descending: first?.descending ?? false }])
  return order.slice(0, order.findIndex(({ name }) => name === 'id') + 1)
}

/** Removes repeated sort fields, which change nothing. */
const firstOfEach = (sorts: Plan['order']): Plan['order'] =>
  sorts.filter(({ name }, place) => sorts.findIndex((sort) => sort.name === name) === place)

/** Values that no column can hold find nothing (spec: lists 13). */
const readAsked = ({ read, readAsked = read }: Kind, texts: readonly string[], name: string) =>
  readValues(readAsked, texts, name)

/** Reads one end of a range, or null for a blank (spec: lists 10). Throws 400. */
export function readBound(kind: Kind, side: 'min' | 'max', text: string, parameter: string): SqlValue {
  const { read, readAsked = read, readBound: readAsBound = readAsked } = kind
  return readValues((bound) => readAsBound(bound, side), [text], parameter)[0] ?? null
}

function readValues(read: (text: string) => SqlValue, texts: readonly string[], name: string): SqlValue[] {
  try {
    return texts.map((text) => (text === '' ? null : read(text)))
  } catch (error) {
    throw error instanceof WrongValue ? wrongValue(name, error.text) : error
  }
}

export const wrongValue = (field: string, fault: Message) =>
  wrongParameter(field, message('{field} {fault}.', { field, fault: filled(fault) }))

function kindOf(resource: Resource, name: string): Kind {
  const field = resource.fields[name]
  if (field?.stored) return field.stored.kind
  throw new Error(`${resource.name} lists ${name}, which is no column`)
}

const TITLES = { filter: 'Filter Error', range: 'Range Error', search: 'Search Error' } as const

/** Returns a 400 that suggests the nearest name (spec: lists 12). */
function unknownName(parameter: keyof typeof TITLES, name: string, known: readonly string[]) {
  const offer =
    known.length > 0
      ? message('You can only {parameter} on: [{fields}]', { parameter, fields: known.join(', ') })
      : message('Nothing here takes a {parameter}', { parameter })
  const fault = name === '' ? offer : message("Attributes {name} doesn't exists. {offer}", { name: shown(name), offer })
  return wrongParameter(
    name === '' ? parameter : `${parameter}[${shown(name)}]`,
    suggesting(fault, name, known),
    TITLES[parameter],
  )
}

/** Shortens and escapes a client's word for an error. */
const shown = (name: string) => JSON.stringify(name.slice(0, 80)).slice(1, -1)
