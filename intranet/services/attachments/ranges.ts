import type { ByteRange } from './file-store.ts'

/** What a request for a part of something comes to. */
export type RequestedRange = ByteRange | 'whole' | 'nothing'

/**
 * Reads a `Range` header (RFC 9110 §14) against a length. Several ranges, other units and what is not well formed ask for
 * the whole; a range that begins beyond the end asks for nothing. Not by the package `range-parser`: to the last 500 bytes of a
 * file of 45 it answers 416, where the RFC asks for all 45.
 */
export function readRange(header: string | undefined, length: number): RequestedRange {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header ?? '')
  if (!match) return 'whole'
  const [, first = '', last = ''] = match
  if (first === '') {
    if (last === '') return 'whole'
    const size = Number(last)
    return size === 0 || length === 0 ? 'nothing' : { first: Math.max(0, length - size), last: length - 1 }
  }
  if (last !== '' && Number(last) < Number(first)) return 'whole'
  if (Number(first) >= length) return 'nothing'
  return { first: Number(first), last: last === '' ? length - 1 : Math.min(Number(last), length - 1) }
}
