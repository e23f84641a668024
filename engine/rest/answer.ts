import { defined } from '../base/defined.ts'
import { HttpError } from '../errors.ts'

/** A response can be sent again while none of its dependencies changes. */
export type Dependencies = {
  /** Names of tables, or of groups of rows of a table (`rowNames`). */
  readonly names: readonly string[]
  /** Count of all changes before the first statement. */
  readonly since: number
  readonly isForCaller: boolean
  /** Time in milliseconds at which the response changes. */
  readonly until?: number
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | undefined
  /** Body of a replayed response, if the body has one-time values. */
  readonly remembered?: string | undefined
  readonly type?: 'jsonApi'
  readonly dependsOn?: Dependencies | undefined
}

export const noContent: Answer = { status: 204, headers: {} }

export const okay = (
  body: string,
  headers: Readonly<Record<string, string>> = {},
  dependsOn?: Dependencies | undefined,
): Answer => ({ status: 200, headers, body, dependsOn })

type PageLinks = {
  readonly url: string
  readonly query: string
  readonly page: number
  readonly perPage: number
  readonly total: number
}

/** `Link`, `X-Page`, `X-Per-Page` and `X-Total` (spec: lists 14, 15). */
export function pageHeaders({ url, query, page, perPage, total }: PageLinks): Record<string, string> {
  const last = lastPage(total, perPage)
  const path = encodePath(url)
  const others = queryOfLinks(query, `per_page=${perPage}`)
  const link = (number: number, rel: string) => ({ rel, text: `<${path}?${others}page=${number}>; rel="${rel}"` })
  const links = fitting([
    ...(page > 1 ? [link(1, 'first'), link(Math.min(page - 1, last), 'prev')] : []),
    ...(page < last ? [link(page + 1, 'next'), link(last, 'last')] : []),
  ])
  return {
    'x-page': String(page),
    'x-per-page': String(perPage),
    'x-total': String(total),
    ...(links.length > 0 ? { link: links.join(', ') } : {}),
  }
}

/** Clients read at most 16 KiB of headers, and every link repeats the query (spec: lists 16). */
const MAX_LINK_CHARACTERS = 8192
/** `next` may exceed MAX_LINK_CHARACTERS, since clients take a page without it for the last one. */
const MAX_NEXT_CHARACTERS = 12_288
const BY_IMPORTANCE = ['next', 'prev', 'first', 'last']

function fitting(links: readonly { readonly rel: string; readonly text: string }[]): string[] {
  const texts = links.map(({ text }) => text)
  if (texts.every((text) => text.length <= MAX_LINK_CHARACTERS / 4)) return texts
  const chosen = new Set<string>()
  let left = MAX_LINK_CHARACTERS
  for (const { rel, text } of [...links].sort((a, b) => BY_IMPORTANCE.indexOf(a.rel) - BY_IMPORTANCE.indexOf(b.rel))) {
    left -= text.length
    if (left < 0 && (rel !== 'next' || text.length > MAX_NEXT_CHARACTERS)) break
    chosen.add(rel)
  }
  return links.flatMap(({ rel, text }) => (chosen.has(rel) ? [text] : []))
}

/** Throws 431 if the address of the next page does not fit into `Link`. */
export function requireNextLink({ headers }: Answer): void {
  const { 'x-page': page, 'x-per-page': perPage, 'x-total': total, link = '' } = headers
  const isLast = page === undefined || Number(page) >= lastPage(Number(total), Number(perPage))
  if (isLast || link.includes('rel="next"')) return
  throw new HttpError(431, 'The query is too long for a link to the next page. Send fewer values at a time.')
}

export function pageUrls({ url, query, page, perPage, total }: PageLinks): Record<string, string | null> {
  const last = lastPage(total, perPage)
  const others = queryOfLinks(query, `page%5Bsize%5D=${perPage}`)
  const link = (number: number) => `${encodePath(url)}?${others}page%5Bnumber%5D=${number}`
  return {
    first: link(1),
    last: link(last),
    prev: page > 1 ? link(Math.min(page - 1, last)) : null,
    next: page < last ? link(page + 1) : null,
  }
}

/** Escapes all characters except unreserved ones and existing escapes (RFC 3986 §2.3). */
const encodeData = (text: string) =>
  text
    .toWellFormed()
    .replace(/%(?![\da-fA-F]{2})|[^\w\-.~%]/gu, (character) =>
      [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
    )

/** Encodes commas and brackets too, since common clients split `Link` on commas. */
function encodeParameter(parameter: string): string {
  const [name = '', ...value] = parameter.replaceAll('+', '%20').split('=')
  return [encodeData(name), ...(value.length > 0 ? [encodeData(value.join('='))] : [])].join('=')
}

function encodePath(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname.split('/').map(encodeData).join('/')
}

const lastPage = (total: number, perPage: number) => Math.max(1, Math.ceil(total / perPage))

/** Returns the other parameters without the token, each followed by `&`. Any form of page size becomes `sized`. */
function queryOfLinks(query: string, sized: string): string {
  if (query === '') return ''
  let isSized = false
  const others: string[] = []
  for (const part of partsOf(query)) {
    const name = nameIn(part)
    if (/^(per_page|page(\[|%5B)size(\]|%5D))$/i.test(name)) isSized = true
    else if (!/^page(\[|%5B|$)/i.test(name)) others.push(encodeParameter(part))
  }
  if (isSized) others.push(sized)
  return others.map((part) => `${part}&`).join('')
}

export const queryWithoutToken = (query: string) => partsOf(query).join('&')

export function addressOf(url: string, query: string): string {
  const parts = partsOf(query)
  return [encodePath(url), ...(parts.length > 0 ? [parts.map(encodeParameter).join('&')] : [])].join('?')
}

/** Returns the parameters as sent, without the token, which no response repeats. */
const partsOf = (query: string) =>
  query.split('&').filter((part) => part !== '' && !/^access_token$/i.test(nameIn(part)))

function nameIn(part: string): string {
  const written = defined(part.split('=', 1)[0])
  return /[%+]/.test(written) ? decodeURIComponent(written.replaceAll('+', ' ')) : written
}
