import { notFound } from '@campus/engine/errors'
import type { Resource } from '@campus/engine/rest/declare/declaration'
import { type Html, html } from '../../html.ts'
import type { PageContext } from '../../page-context.ts'
import { pathOf } from './resource.ts'

/** A condition in the words of the API. A search of every field has no name. */
export type Condition = { readonly kind: 'filter' | 'range' | 'search'; readonly name: string; readonly value: string }

export type ListAddress = {
  readonly conditions: readonly Condition[]
  readonly sort: string | undefined
  readonly page: number
  /** The parent record of the list, as `campus:1`. */
  readonly below: string | undefined
  readonly columns: readonly string[] | undefined
}

const CONDITION = /^(filter|range|search)\[(\w+\??)\]$/

/** Reads the same parameters as the API, so that people can copy them. */
export function readAddress({ path }: PageContext): ListAddress {
  const pairs = [...new URLSearchParams(path.split(/\?(.*)/s)[1])]
  const one = (name: string) => pairs.find(([key, value]) => key === name && value !== '')?.[1]
  const page = one('page') ?? '1'
  if (!/^[1-9]\d{0,8}$/.test(page)) throw notFound('There is no page at this address.')
  return {
    conditions: pairs.flatMap(([key, value]) => conditionOf(key, value)),
    sort: one('sort'),
    page: Number(page),
    below: one('below'),
    columns: one('columns')?.split(','),
  }
}

function conditionOf(key: string, value: string): readonly Condition[] {
  if (value === '') return []
  if (key === 'search') return [{ kind: 'search', name: '', value }]
  const [, kind, name = ''] = CONDITION.exec(key) ?? []
  return kind === 'filter' || kind === 'range' || kind === 'search' ? [{ kind, name, value }] : []
}

export const queryOf = ({ conditions, sort }: ListAddress): Record<string, string> => ({
  ...Object.fromEntries(conditions.map(({ kind, name, value }) => [keyOf({ kind, name }), value])),
  ...(sort === undefined ? {} : { sort }),
})

const keyOf = ({ kind, name }: Pick<Condition, 'kind' | 'name'>) => (name === '' ? kind : `${kind}[${name}]`)

/** Goes to the first page unless `changes` has a page. */
export function addressWith(resource: Resource, address: ListAddress, changes: Partial<ListAddress> = {}): string {
  const { below, columns, page, ...asked } = { ...address, page: 1, ...changes }
  const pairs: Record<string, string> = {
    ...queryOf({ ...asked, below, columns, page }),
    ...(below === undefined ? {} : { below }),
    ...(columns === undefined ? {} : { columns: columns.join(',') }),
    ...(page === 1 ? {} : { page: String(page) }),
  }
  const query = Object.entries(pairs).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  )
  return [pathOf(resource), ...(query.length > 0 ? [query.join('&')] : [])].join('?')
}

export const hiddenFields = (resource: Resource, address: ListAddress): Html =>
  html`${[...new URLSearchParams(addressWith(resource, address).split(/\?(.*)/s)[1])].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}`

/** Replaces a condition of the same kind and name. */
export const withCondition = (conditions: readonly Condition[], added: Condition): readonly Condition[] => [
  ...conditions.filter(({ kind, name }) => keyOf({ kind, name }) !== keyOf(added)),
  added,
]
