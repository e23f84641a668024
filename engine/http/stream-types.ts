import { namesOf } from '../base/narrow.ts'
import { JSON_API, readRanges, weightAmong, weightOf } from './media-types.ts'

export const STREAM_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type StreamForm = keyof typeof STREAM_TYPES

/**
 * Returns the form of a stream that an `Accept` header prefers (spec: lists 20), or undefined for a page. The stream must weigh more
 * than JSON and JSON:API, and not less than wildcards. Of two equal streams, the first is preferred.
 */
export function askedStream(accept: string | undefined): StreamForm | undefined {
  if (accept === undefined || !/text\/csv|application\/x-ndjson/i.test(accept)) return undefined
  const ranges = readRanges(accept)
  const [best] = ranges
    .filter(({ name }) => formOf(name) !== undefined)
    .toSorted((one, other) => other.weight - one.weight)
  if (!best || best.weight <= weightAmong(ranges, 'application/json', JSON_API)) return undefined
  return best.weight >= weightAmong(ranges, 'application/*', '*/*') ? formOf(best.name) : undefined
}

export const EVENT_STREAM = 'text/event-stream'

export function asksForEvents(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false
  const weight = weightOf(accept, EVENT_STREAM)
  return weight > 0 && weight >= weightOf(accept, 'application/json')
}

const formOf = (type: string) => namesOf(STREAM_TYPES).find((form) => STREAM_TYPES[form] === type)
