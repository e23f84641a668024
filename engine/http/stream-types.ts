import { namesOf } from '../base/narrow.ts'
import { JSON_API, readRanges } from './media-types.ts'

/** The forms in which a whole list comes as one stream. */
export const STREAM_TYPES = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type StreamForm = keyof typeof STREAM_TYPES

/**
 * The form of a stream that an `Accept` header asks for (spec: lists 20); undefined where it asks for a page. A stream is named, and weighs more
 * than JSON and JSON:API where these are named, and no less than what takes anything.
 */
export function askedStream(accept: string | undefined): StreamForm | undefined {
  if (accept === undefined || !/text\/csv|application\/x-ndjson/i.test(accept)) return undefined
  const ranges = readRanges(accept)
  const weightOf = (...names: readonly string[]) =>
    Math.max(0, ...ranges.filter(({ name }) => names.includes(name)).map(({ weight }) => weight))
  const named = weightOf('application/json', JSON_API)
  const anything = weightOf('application/*', '*/*')
  let asked: StreamForm | undefined
  let maxWeight = 0
  // Of two that weigh the same, the one that is named first.
  for (const { name, weight } of ranges) {
    const form = formOf(name)
    if (form && weight > maxWeight) [asked, maxWeight] = [form, weight]
  }
  return maxWeight > named && maxWeight >= anything ? asked : undefined
}

export const EVENT_STREAM = 'text/event-stream'

/** Whether an `Accept` header asks for changes as they come, more than for JSON. */
export function asksForEvents(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/event-stream/i.test(accept)) return false
  const ranges = readRanges(accept)
  const weightOf = (name: string) =>
    Math.max(0, ...ranges.filter((range) => range.name === name).map(({ weight }) => weight))
  return weightOf(EVENT_STREAM) > 0 && weightOf(EVENT_STREAM) >= weightOf('application/json')
}

const formOf = (type: string) => namesOf(STREAM_TYPES).find((form) => STREAM_TYPES[form] === type)
