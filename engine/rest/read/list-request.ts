import { message } from '../../base/languages/say.ts'
import { wrongParameter } from '../../errors.ts'
import { isParams, type Params, type ParamValue } from '../../http/params.ts'

export type ListRequest = {
  readonly page: number
  readonly perPage: number
  /** Texts by name. An empty text requests null. */
  readonly filters: ReadonlyMap<string, readonly string[]>
  readonly ranges: ReadonlyMap<string, readonly [string, string]>
  readonly sorts: readonly { readonly name: string; readonly descending: boolean }[]
  readonly searches: ReadonlyMap<string, string>
}

const DEFAULT_PAGE_SIZE = 30
const MAX_PAGE_SIZE = 100
const MAX_PAGE = 2_147_483_647
const MAX_VALUES = 10_000

/** Reads the query parameters of a list (spec: lists 1, 2, 3, 6, 10). Throws 400. */
export function readListRequest(query: Params): ListRequest {
  const { number, size } = pageOf(query)
  return {
    page: readCount(number, 'page', 1),
    perPage: Math.min(readCount(size, 'per_page', DEFAULT_PAGE_SIZE), MAX_PAGE_SIZE),
    filters: readFilters(query.filter),
    ranges: readRanges(query.range),
    sorts: readSorts(query.sort),
    searches: readSearches(query.search),
  }
}

/** Reads the page. `page[number]` and `page[size]` take precedence (spec: lists 1, 2). */
export function pageOf({ page, per_page }: Params): { readonly number?: ParamValue; readonly size?: ParamValue } {
  // Beside `page[size]=10`, `page=2` is parsed under the empty name.
  const named: Params = isParams(page) ? page : page === undefined ? {} : { '': page }
  const { number = named[''], size = per_page } = named
  return { ...(number === undefined ? {} : { number }), ...(size === undefined ? {} : { size }) }
}

function readCount(value: ParamValue | undefined, name: string, fallback: number): number {
  if (value === undefined) return fallback
  if (typeof value !== 'string' || !/^\d+$/.test(value) || Number(value) < 1) {
    throw wrongParameter(name, message('{name} must be a whole number of at least 1.', { name }))
  }
  return Math.min(Number(value), MAX_PAGE)
}

const readFilters = (value: ParamValue | undefined): ListRequest['filters'] =>
  new Map(namedMembers(value, 'filter').map(([name, texts]) => [name, valuesOf(texts, `filter[${name}]`)]))

function readRanges(value: ParamValue | undefined): ListRequest['ranges'] {
  const ranges = new Map<string, readonly [string, string]>()
  for (const [name, text] of namedMembers(value, 'range')) {
    const [lower, upper, ...more] = valuesOf(text, `range[${name}]`)
    if (lower === undefined || upper === undefined || more.length > 0) {
      throw wrongParameter(
        `range[${name}]`,
        message('range[{name}] must be two values with a comma between: min,max.', { name }),
      )
    }
    ranges.set(name, [lower, upper])
  }
  return ranges
}

function readSorts(value: ParamValue | undefined): ListRequest['sorts'] {
  if (value === undefined || value === '') return []
  return split(value, 'sort').map((part) => {
    const descending = part.startsWith('-')
    return { name: descending ? part.slice(1) : part, descending }
  })
}

function readSearches(value: ParamValue | undefined): ListRequest['searches'] {
  const searches = new Map<string, string>()
  for (const [name, text] of namedMembers(searchesOf(value), 'search')) {
    if (typeof text !== 'string')
      throw wrongParameter(`search[${name}]`, message('search[{name}] must be one text.', { name }))
    if (text.trim() !== '') searches.set(name, text)
  }
  return searches
}

/**
 * Reads `in:login ada` as `search[login]=ada`, and a plain text, under the empty name, for all fields (spec: lists 11).
 */
export function searchesOf(value: ParamValue | undefined): ParamValue | undefined {
  if (typeof value !== 'string') return value
  const [, name = '', text = value] = /^\s*in:([\w?]*)\s+(.*)$/s.exec(value) ?? []
  return { [name]: text }
}

function namedMembers(value: ParamValue | undefined, parameter: string): [string, ParamValue][] {
  if (value === undefined || value === '') return []
  if (!isParams(value))
    throw wrongParameter(parameter, message('{parameter} must name a field: {parameter}[field]=value.', { parameter }))
  return Object.entries(value)
}

function valuesOf(value: ParamValue, name: string): string[] {
  if (!Array.isArray(value)) return split(value, name)
  return atMost(
    MAX_VALUES,
    name,
    value.map((element) => textOf(element, name).trim()),
  )
}

function split(value: ParamValue, name: string): string[] {
  return atMost(MAX_VALUES, name, textOf(value, name).split(',', MAX_VALUES + 1)).map((part) => part.trim())
}

function textOf(value: ParamValue, name: string): string {
  if (typeof value === 'string') return value
  throw wrongParameter(name, message('{name} must be one value, or values with commas between.', { name }))
}

function atMost(most: number, name: string, values: string[]): string[] {
  if (values.length > most) throw wrongParameter(name, message('{name} takes at most {most} values.', { name, most }))
  return values
}
