import { defined } from '@campus/engine/base/defined'

/*
 * COPY and the lines of JSON in an archive escape nearly the same characters in the same way. Converting them byte by byte
 * is faster than JSON in the database and than strings. The special bytes are ASCII, which UTF-8 uses in no other character.
 */

const [TAB, NEWLINE, VERTICAL_TAB, SPACE, QUOTE, COMMA, BACKSLASH] = [9, 10, 11, 32, 34, 44, 92]
const [OPENING, CLOSING] = [91, 93]
const [LETTER_N, LETTER_U, LETTER_V] = [78, 117, 118]
const NULL = [...Buffer.from('null')]
/** Characters after a backslash that mean the same in both formats. */
const SAME_ESCAPES = new Set(Buffer.from('\\bfnrt'))
/** The longest escape is `\u001f`. */
const MAX_GROWTH = 6

/** Converts whole lines of COPY to lines of JSON, each an array of texts and nulls. */
export function jsonLines(copied: Buffer): Buffer {
  const json = Buffer.allocUnsafe(copied.length * MAX_GROWTH)
  let [at, end] = [0, 0]
  while (at < copied.length) {
    json[end++] = OPENING
    for (let isLast = false; !isLast; ) {
      if (copied[at] === BACKSLASH && copied[at + 1] === LETTER_N) {
        for (const byte of NULL) json[end++] = byte
        at += 2
      } else {
        writeText()
      }
      isLast = copied[at++] === NEWLINE
      json[end++] = isLast ? CLOSING : COMMA
    }
    json[end++] = NEWLINE
  }
  // A copy, since the caller keeps the lines, and `json` is up to six times as large.
  return Buffer.from(json.subarray(0, end))

  function writeText(): void {
    json[end++] = QUOTE
    for (; at < copied.length; at += 1) {
      const byte = defined(copied[at])
      if (byte === BACKSLASH) {
        at += 1
        if (copied[at] === LETTER_V) end += json.write('\\u000b', end, 'latin1')
        else {
          json[end++] = BACKSLASH
          json[end++] = defined(copied[at])
        }
      } else if (byte > QUOTE) {
        json[end++] = byte
      } else if (byte === TAB || byte === NEWLINE) {
        break
      } else if (byte === QUOTE) {
        json[end++] = BACKSLASH
        json[end++] = QUOTE
      } else if (byte < SPACE) {
        end += json.write(`\\u00${byte.toString(16).padStart(2, '0')}`, end, 'latin1')
      } else {
        json[end++] = byte
      }
    }
    json[end++] = QUOTE
  }
}

/** Converts lines of JSON, each an array of `width` texts and nulls, to COPY. Returns undefined unless `jsonLines` could have written them. */
export function copiedLines(json: Buffer, width: number): Buffer | undefined {
  const copied = Buffer.allocUnsafe(json.length)
  let [at, end] = [0, 0]
  while (at < json.length) {
    if (json[at++] !== OPENING) return undefined
    for (let values = 1; ; values += 1) {
      if (!(isNull() ? writeNull() : writeText())) return undefined
      const isLast = json[at] === CLOSING && json[at + 1] === NEWLINE
      if (isLast !== (values === width) || !(isLast || json[at] === COMMA)) return undefined
      copied[end++] = isLast ? NEWLINE : TAB
      at += isLast ? 2 : 1
      if (isLast) break
    }
  }
  return copied.subarray(0, end)

  function isNull(): boolean {
    return json[at] === NULL[0] && NULL.every((byte, index) => json[at + index] === byte)
  }

  function writeNull(): true {
    copied[end++] = BACKSLASH
    copied[end++] = LETTER_N
    at += NULL.length
    return true
  }

  function writeText(): boolean {
    if (json[at++] !== QUOTE) return false
    for (; at < json.length; at += 1) {
      const byte = defined(json[at])
      if (byte === QUOTE) {
        at += 1
        return true
      }
      if (byte < SPACE) return false
      if (byte !== BACKSLASH) copied[end++] = byte
      else if (!writeEscape()) return false
    }
    return false
  }

  function writeEscape(): boolean {
    at += 1
    const byte = defined(json[at])
    if (byte === QUOTE) {
      copied[end++] = QUOTE
    } else if (SAME_ESCAPES.has(byte)) {
      copied[end++] = BACKSLASH
      copied[end++] = byte
    } else {
      const code = byte === LETTER_U ? Number.parseInt(json.toString('latin1', at + 1, at + 5), 16) : Number.NaN
      if (!(code > 0 && code < SPACE) || (code > 7 && code < 14 && code !== VERTICAL_TAB)) return false
      copied[end++] = code
      at += 4
    }
    return true
  }
}
