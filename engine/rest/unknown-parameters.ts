import { nearest } from '../base/text/nearest.ts'
import { isParams, type Params } from '../http/params.ts'
import { knownParameters, payloadNames } from './parameters.ts'
import type { Route } from './route-table.ts'

const PAGE_MEMBERS = ['page[number]', 'page[size]']
/** An answer's headers must stay within what clients read. */
const MAX_NAMES = 10
const MAX_NAME = 40

/**
 * The parameters of a query that the route does not know, each with the nearest known one (spec: requests 22): `per_pag;nearest=per_page, shoe`.
 * Undefined where there is nothing of it.
 */
export function unknownParameters(route: Route, query: Params): string | undefined {
  const names = Object.keys(query)
  if (names.length === 0) return undefined
  const known = [...knownParameters(route), ...payloadNames(route)]
  const unknown = names.filter((name) => !known.includes(name))
  const members =
    known.includes('page') && isParams(query.page)
      ? Object.keys(query.page).flatMap((name) => (PAGE_KEYS.has(name) ? [] : `page[${name}]`))
      : []
  const unread = [
    ...unknown.map((name) => [name, known] as const),
    ...members.map((name) => [name, PAGE_MEMBERS] as const),
  ]
  if (unread.length === 0) return undefined
  return unread
    .slice(0, MAX_NAMES)
    .map(([name, candidates]) => {
      const near = nearest(name, candidates)
      return headerWord(name.slice(0, MAX_NAME)) + (near === undefined ? '' : `;nearest=${near}`)
    })
    .join(', ')
}

/** The empty name is what `page=2` is read under, beside names in brackets. */
const PAGE_KEYS = new Set(['number', 'size', ''])

/** A client's own text, percent-encoded where it could be taken for something else. */
const headerWord = (text: string) =>
  text.toWellFormed().replace(/[^\w.~[\]-]/gu, (character) => encodeURIComponent(character))
