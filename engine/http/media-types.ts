import { parse } from 'content-type'
import { type FilledMessage, message } from '../base/languages/say.ts'
import { HttpError } from '../errors.ts'

export const JSON_API = 'application/vnd.api+json'

export type JsonApiUse = { readonly isBody: boolean; readonly isAnswer: boolean }

type RequestHeaders = { readonly accept?: string | undefined; readonly 'content-type'?: string | undefined }

const NONE: JsonApiUse = Object.freeze({ isBody: false, isAnswer: false })

/** Negotiates the representation by `Content-Type` and `Accept` (spec: json-api 1). Throws 415 and 406 as JSON:API 1.1 requires. */
export function negotiate({ accept, 'content-type': type }: RequestHeaders): JsonApiUse {
  if (!mentionsJsonApi(accept) && !mentionsJsonApi(type)) return NONE
  const isBody = readContentType(type)
  return { isBody, isAnswer: readAccept(accept) || isBody }
}

/** Reports whether a refusal is answered as JSON:API, even if its media type was used incorrectly. */
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

/** Reports whether the header prefers JSON:API to plain JSON, or weighs both the same. */
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

export const weightOf = (accept: string | undefined, name: string): number =>
  accept ? weightAmong(readRanges(accept), name) : 0

export const weightAmong = (ranges: readonly MediaRange[], ...names: readonly string[]): number =>
  Math.max(0, ...ranges.filter(({ name }) => names.includes(name)).map(({ weight }) => weight))

export type MediaRange = {
  readonly name: string
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** From 0 to 1. */
  readonly weight: number
}

export function readRanges(header: string): MediaRange[] {
  const ranges: MediaRange[] = []
  for (let start = 0; start < header.length; ) {
    const { type, parameters, index } = parse(header, { comma: true, start })
    ranges.push(toRange(type, Object.entries(parameters)))
    start = index + 1
  }
  return ranges
}

/** Parameters after `q` do not belong to the media type (RFC 9110 §12.5.1). */
function toRange(name: string, parameters: MediaRange['parameters']): MediaRange {
  const q = parameters.findIndex(([key]) => key === 'q')
  const weight = q < 0 ? 1 : Number(parameters[q]?.[1])
  return { name, parameters: q < 0 ? parameters : parameters.slice(0, q), weight: Number.isFinite(weight) ? weight : 1 }
}

/** Describes the first parameter that JSON:API forbids. Profiles are ignored. */
function faultOf(parameters: MediaRange['parameters']): FilledMessage | undefined {
  for (const [name, value] of parameters) {
    if (name === 'ext' && value.trim() !== '')
      return message('the extension {name} is not supported', { name: value.slice(0, 80) })
    if (name !== 'ext' && name !== 'profile') return message('{name} is not one of them', { name: name.slice(0, 80) })
  }
  return undefined
}
