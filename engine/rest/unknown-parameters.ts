import { nearest } from '../base/text/nearest.ts'
import { isParams, type Params } from '../http/params.ts'
import { knownParameters, payloadNames } from './parameters.ts'
import type { Route } from './route-table.ts'

const PAGE_MEMBERS = ['page[number]', 'page[size]']
/** Clients limit the size of headers. */
const MAX_NAMES = 10
const MAX_NAME = 40

/** Returns unknown parameters with the nearest known ones (spec: requests 22): `per_pag;nearest=per_page, shoe`. */
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

/** Beside names in brackets, `page=2` is parsed under the empty name. */
const PAGE_KEYS = new Set(['number', 'size', ''])

const headerWord = (text: string) =>
  text.toWellFormed().replace(/[^\w.~[\]-]/gu, (character) => encodeURIComponent(character))
