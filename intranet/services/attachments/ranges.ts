import type { ByteRange } from './file-store.ts'

export type RequestedRange = ByteRange | 'whole' | 'nothing'

/**
 * Reads a `Range` header (RFC 9110 §14). Several ranges, other units and malformed headers mean the whole file. A range beyond
 * the end means nothing. The package `range-parser` answers 416 to the last 500 bytes of a file of 45, where the RFC requires
 * all 45.
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
