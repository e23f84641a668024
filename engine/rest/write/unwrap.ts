import { message } from '../../base/languages/say.ts'
import { isRecord } from '../../base/narrow.ts'
import { nearest } from '../../base/text/nearest.ts'
import { malformed, unprocessable } from '../../errors.ts'
import { isParams } from '../../http/params.ts'
import type { Resource } from '../declare/declaration.ts'

export type Source = { readonly body: unknown; readonly query: unknown }

export type Sent = Readonly<Record<string, unknown>>

/** Returns the body, or the query if the body is empty or `{}` (spec: requests 8, 10). */
export const sourceOf = <Q>({ body, query }: { readonly body: unknown; readonly query: Q }): unknown | Q =>
  body === undefined || body === null || (isParams(body) && Object.keys(body).length === 0) ? query : body

/** Returns the payload. Throws 400. */
export function unwrap({ singular, payload: declared }: Pick<Resource, 'singular' | 'payload'>, sent: Source): Sent {
  const source = sourceOf(sent)
  if (!isRecord(source)) {
    throw malformed(message('The body must be an object that holds the payload under "{name}".', { name: singular }))
  }
  const payload = source[singular]
  if (payload === null && declared?.nullable) return {}
  const isBare = payload === undefined && source === sent.body && Object.keys(source).length > 0
  if (isBare && declared?.mayBeBare) return source
  if (!isRecord(payload)) {
    const values = { name: singular, hint: sentInstead(singular, source) }
    throw malformed(message('The payload is missing: it must be an object under "{name}".{hint}', values))
  }
  return payload
}

function sentInstead(singular: string, source: object): string {
  const near = nearest(singular, Object.keys(source))
  return near === undefined || near === singular ? '' : ` What is under "${near}" is not read.`
}

const MAX_BULK = 100

/** Returns the payloads of `{ "books": [ … ] }`. Throws 400, and 422 if there are too many. */
export function unwrapSeveral({ name }: Pick<Resource, 'name'>, sent: Source): readonly Sent[] {
  const source = sourceOf(sent)
  const list = isRecord(source) ? source[name] : undefined
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'object' && entry !== null)) {
    throw malformed(message('The payload is missing: it must be a list of objects under "{name}".', { name }))
  }
  if (list.length > MAX_BULK)
    throw unprocessable({ base: [message('at most {most} can be created at once', { most: MAX_BULK })] })
  return list
}
