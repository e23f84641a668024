import { defined } from '../base/defined.ts'
import { message } from '../base/languages/say.ts'
import { malformed } from '../errors.ts'
import { UploadedFile } from './uploaded-file.ts'

/** Nested parameters: `a[b][]=1` is `{ a: { b: ['1'] } }`. */
export type Params = { [name: string]: ParamValue }
export type ParamValue = string | Params | ParamValue[] | UploadedFile

const MAX_PAIRS = 2_000
export const MAX_DEPTH = 16

export type Pair = readonly [name: string, value: string | UploadedFile]

/** Parses a query string or urlencoded body like Rack, for which existing clients are written. */
export const parseParams = (text: string): Params => nest(readPairs(text))

/** Decodes names and values in order. Throws 400. */
export function readPairs(text: string): readonly Pair[] {
  if (text === '') return []
  const pairs = text.split('&', MAX_PAIRS + 1)
  if (pairs.length > MAX_PAIRS)
    throw malformed(message('At most {most} parameters are accepted in one request.', { most: MAX_PAIRS }))
  return pairs.filter((pair) => pair !== '').map(decodePair)
}

/**
 * Builds nested parameters from pairs, as Rack does. Throws 400 if they are nested too deeply or contradict each other.
 */
export function nest(pairs: readonly Pair[]): Params {
  const root = newParams()
  for (const [name, value] of pairs) {
    const path = splitName(name)
    if (path.length > MAX_DEPTH)
      throw malformed(
        message('The parameter {name} is nested more deeply than {most} levels.', {
          name: name.slice(0, 80),
          most: MAX_DEPTH,
        }),
      )
    assign(root, path, value)
  }
  return root
}

/** Has no prototype, so that no parameter name has a special meaning. */
function newParams(): Params {
  return Object.create(null)
}

function decodePair(pair: string): [string, string] {
  const equals = pair.indexOf('=')
  return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed(message('The parameter text "{text}" is not valid percent-encoding.', { text: text.slice(0, 80) }))
  }
}

/** `a[b][][c]` → `['a', 'b', '', 'c']`, cut after one part too many. A name without balanced brackets is one part. */
export function splitName(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])+)$/.exec(name)
  if (!match) return [name]
  return [defined(match[1]), ...defined(match[2]).slice(1, -1).split('][', MAX_DEPTH)]
}

function assign(into: Params, path: readonly string[], value: string | UploadedFile): void {
  const [name = '', next, ...rest] = path
  const present = into[name]
  if (next === undefined) {
    // Clients mix `page[size]=100&page=2`, so the plain value is stored under the empty name.
    if (isParams(present)) present[''] = value
    else into[name] = value
  } else if (next === '') {
    if (present !== undefined && !Array.isArray(present))
      throw malformed(message('The parameter {name} is both a list and not one.', { name }))
    const list = present ?? []
    into[name] = list
    append(list, rest, value)
  } else {
    into[name] = asParams(present, name)
    assign(into[name], [next, ...rest], value)
  }
}

/** `a[][x]=1&a[][y]=2&a[][x]=3` is two elements: a repeated name begins the next element. */
function append(list: ParamValue[], path: readonly string[], value: string | UploadedFile): void {
  if (path.length === 0) {
    list.push(value)
    return
  }
  const last = list.at(-1)
  if (isParams(last) && !hasPath(last, path)) assign(last, path, value)
  else {
    const element = newParams()
    assign(element, path, value)
    list.push(element)
  }
}

function hasPath(params: Params, path: readonly string[]): boolean {
  let at: ParamValue | undefined = params
  for (const name of path) {
    if (name === '') return false
    if (!isParams(at)) return false
    at = at[name]
  }
  return at !== undefined
}

function asParams(present: ParamValue | undefined, name: string): Params {
  if (present === undefined) return newParams()
  if (isParams(present)) return present
  if (Array.isArray(present)) throw malformed(message('The parameter {name} is both a list and not one.', { name }))
  const params = newParams()
  params[''] = present
  return params
}

export function isParams(value: unknown): value is Params {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof UploadedFile)
}
