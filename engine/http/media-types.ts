import { parse } from 'content-type'
import { type FilledMessage, message } from '../base/languages/say.ts'
import { HttpError } from '../errors.ts'

export const JSON_API = 'application/vnd.api+json'

/** What of a request and its answer has the form of JSON:API. */
export type JsonApiUse = { readonly isBody: boolean; readonly isAnswer: boolean }

type RequestHeaders = { readonly accept?: string | undefined; readonly 'content-type'?: string | undefined }

const NONE: JsonApiUse = Object.freeze({ isBody: false, isAnswer: false })

/**
 * The representation that a request asks for, by its content type or by `Accept` (spec: json-api 1). Throws 415
 * and 406 where JSON:API 1.1 asks for them (its section on content negotiation).
 */
export function negotiate({ accept, 'content-type': type }: RequestHeaders): JsonApiUse {
  if (!mentionsJsonApi(accept) && !mentionsJsonApi(type)) return NONE
  const isBody = readContentType(type)
  return { isBody, isAnswer: readAccept(accept) || isBody }
}

/** Whether a refusal is answered as JSON:API, also where its media type was used against its rules. */
export function prefersJsonApi(headers: RequestHeaders): boolean {
  if (mentionsJsonApi(headers['content-type'])) return true
  if (!mentionsJsonApi(headers.accept)) return false
  try {
    return readAccept(headers.accept)
  } catch {
    return true
  }
}

const mentionsJsonApi = (header: string | undefined) =>
  header !== undefined && /application\/vnd\.api\+json/i.test(header)

function readContentType(header: string | undefined): boolean {
  if (!header || !mentionsJsonApi(header)) return false
  const { type, parameters } = parse(header)
  if (type !== JSON_API) return false
  const fault = faultOf(Object.entries(parameters))
  if (fault === undefined) return true
  throw new HttpError(
    415,
    message('The content type {type} takes no parameters other than ext and profile: {fault}.', {
      type: JSON_API,
      fault,
    }),
    { source: { header: 'Content-Type' } },
  )
}

/** Whether the header asks for JSON:API at least as much as for plain JSON. */
function readAccept(header: string | undefined): boolean {
  if (!header || !mentionsJsonApi(header)) return false
  const ranges = readRanges(header)
  const instances = ranges.filter(({ name }) => name === JSON_API)
  const errors = instances.map(({ parameters }) => faultOf(parameters))
  const [first] = errors
  if (first !== undefined && errors.every((fault) => fault !== undefined)) {
    throw new HttpError(
      406,
      message('Accept takes {type} with no parameters other than ext and profile: {fault}.', {
        type: JSON_API,
        fault: first,
      }),
      { source: { header: 'Accept' } },
    )
  }
  const weights = instances.filter((_, index) => errors[index] === undefined).map(({ weight }) => weight)
  const plain = ranges.filter(({ name }) => name === 'application/json').map(({ weight }) => weight)
  const maxWeight = Math.max(0, ...weights)
  return maxWeight > 0 && maxWeight >= Math.max(0, ...plain)
}

/** How much an Accept header asks for a media type by its name, from 0 to 1. */
export function weightOf(accept: string | undefined, name: string): number {
  if (!accept) return 0
  return Math.max(0, ...readRanges(accept).flatMap((range) => (range.name === name ? [range.weight] : [])))
}

export type MediaRange = {
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** The `q` of an Accept header, from 0 to 1. */
  readonly weight: number
}

/** Reads an `Accept` header. */
export function readRanges(header: string): MediaRange[] {
  const ranges: MediaRange[] = []
  for (let start = 0; start < header.length; ) {
    const { type, parameters, index } = parse(header, { comma: true, start })
    ranges.push(toRange(type, Object.entries(parameters)))
    start = index + 1
  }
  return ranges
}

/** What comes after q belongs to Accept and not to the media type (RFC 9110 §12.5.1). */
function toRange(name: string, parameters: MediaRange['parameters']): MediaRange {
  const q = parameters.findIndex(([key]) => key === 'q')
  const weight = q < 0 ? 1 : Number(parameters[q]?.[1])
  return { name, parameters: q < 0 ? parameters : parameters.slice(0, q), weight: Number.isFinite(weight) ? weight : 1 }
}

/** What of the parameters JSON:API forbids, or the service does not know. A profile that it does not know is none. */
function faultOf(parameters: MediaRange['parameters']): FilledMessage | undefined {
  for (const [name, value] of parameters) {
    if (name === 'ext' && value.trim() !== '')
      return message('the extension {name} is not supported', { name: value.slice(0, 80) })
    if (name !== 'ext' && name !== 'profile') return message('{name} is not one of them', { name: name.slice(0, 80) })
  }
  return undefined
}
