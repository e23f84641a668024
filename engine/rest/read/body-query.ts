import { malformed, wrongParameter } from '../../errors.ts'
import { isParams, type Params, type ParamValue } from '../../http/params.ts'
import { UploadedFile } from '../../http/uploaded-file.ts'
import { pageOf, searchesOf } from './list-request.ts'

/**
 * Merges parameters of a list from a body into those of the address, which take precedence, so that `Link` works with
 * the same body. `query` searches every field (spec: lists 24, 25). Throws 400.
 */
export function queryWithBody(address: Params, body: unknown): Params {
  const sent = readBody(body)
  const { page: _page, per_page: _size, query, search, ...rest } = { ...sent, ...address }
  const page = { ...membersOf(sent.page), ...membersOf(address.page), ...pageOf(sent), ...pageOf(address) }
  const searches = withQuery(searchesOf(search), query)
  return { ...rest, ...(Object.keys(page).length > 0 ? { page } : {}), ...(searches ? { search: searches } : {}) }
}

const membersOf = (value: ParamValue | undefined): Params => (isParams(value) ? value : {})

function readBody(body: unknown): Params {
  if (body === undefined || body === null) return {}
  if (!isParams(body)) throw malformed('The body must be an object, with query, filter, range, sort and page.')
  const said = Object.entries(body).filter(([, value]) => value !== null)
  return Object.fromEntries(said.map(([name, value]) => [name, asParameter(value)]))
}

/** Converts JSON to the form of a query parameter. Null becomes an empty text. */
function asParameter(value: unknown): ParamValue {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map(asParameter)
  if (value instanceof UploadedFile) return value
  if (!isParams(value)) return String(value)
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asParameter(member)]))
}

/** Adds the words of `query` to the search in every field. */
function withQuery(searches: ParamValue | undefined, query: ParamValue | undefined): ParamValue | undefined {
  if (query === undefined) return searches
  if (typeof query !== 'string') throw wrongParameter('query', 'query must be one text.')
  if (searches !== undefined && !isParams(searches)) return searches
  const { '': words = '', ...named } = searches ?? {}
  return { ...named, '': `${words} ${query}` }
}
