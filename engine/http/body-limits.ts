import { defined } from '../base/defined.ts'
import { type Message, message } from '../base/languages/say.ts'
export type JsonLimits = {
  readonly levels: number
  /** Maximum members of one object, including repeated names. */
  readonly members: number
  /** Maximum values at all levels together. */
  readonly values: number
}

const OF_BODIES: JsonLimits = { levels: 64, members: 2_000, values: 20_000 }

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Returns which limit is exceeded, if any. Makes one pass over the bytes before parsing, which validates the syntax. */
export function excessOfJson(bytes: Uint8Array, limits: JsonLimits = OF_BODIES): Message | undefined {
  const members = new Uint32Array(limits.levels)
  let level = -1
  let values = 1
  let before = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = defined(bytes[at])
    if (byte <= 0x20) continue
    if (byte === QUOTE) at = endOfText(bytes, at)
    else if (byte === COMMA) values += 1
    else if (byte === COLON) {
      const count = (members[level] ?? 0) + 1
      members[level] = count
      if (count > limits.members)
        return message('has an object with too many members: at most {most} are accepted', { most: limits.members })
    } else if (byte === LIST || byte === OBJECT) {
      level += 1
      if (level === limits.levels) return message('is nested more deeply than {most} levels', { most: limits.levels })
      members[level] = 0
    } else if (byte === LIST_END || byte === OBJECT_END) {
      level -= 1
      // The last value of a list or object has no comma after it.
      if (before !== LIST && before !== OBJECT) values += 1
    }
    if (values > limits.values) return message('holds more than {most} values', { most: limits.values })
    before = byte
  }
  return undefined
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}
