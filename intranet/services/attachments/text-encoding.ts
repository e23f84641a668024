import { open } from 'node:fs/promises'

const SAMPLE_BYTES = 65_536
// biome-ignore lint/suspicious/noControlCharactersInRegex: no text has these characters
const CONTROL = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/
const KANA = /[\u3041-\u30ff]/g
const BEYOND_ASCII = /[\u0080-\uffff]/g
/** Western languages hardly have three such letters in a row, unlike texts in Cyrillic or Greek. */
const FOREIGN = /[\u0080-\uffff]{3,}/g
const MAX_FOREIGN_SHARE = 0.3
/** Japanese has a larger share of kana. */
const MIN_KANA_SHARE = 0.2

/** Returns the encoding of a text file by its beginning, `unknown` if several fit, or undefined if it is no text. */
export async function textEncodingOf(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES)
    return encodingOf(buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

function encodingOf(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return ifText(bytes, 'utf-16le')
  if (first === 0xfe && second === 0xff) return ifText(bytes, 'utf-16be')
  if (textIn(bytes, 'utf-8') !== undefined) return 'utf-8'
  const wide = wideEncodingOf(bytes)
  if (wide) return ifText(bytes, wide)
  for (const encoding of ['shift_jis', 'euc-jp']) {
    const text = textIn(bytes, encoding)
    if (text && countOf(text, KANA) > MIN_KANA_SHARE * countOf(text, BEYOND_ASCII)) return encoding
  }
  const text = textIn(bytes, 'windows-1252')
  // Undefined bytes decode to control characters.
  if (text === undefined || /[\x80-\x9f]/.test(text)) return undefined
  const foreign = text.match(FOREIGN)?.join('').length ?? 0
  return foreign > MAX_FOREIGN_SHARE * countOf(text, BEYOND_ASCII) ? 'unknown' : 'windows-1252'
}

/** Recognizes UTF-16 without a byte order mark by zero bytes in most pairs, as in mostly ASCII text. */
function wideEncodingOf(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const zeros = [0, 0]
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [high = 0, low = 0] = zeros
  if (high + low < bytes.length / 4) return undefined
  return low > high ? 'utf-16le' : 'utf-16be'
}

const ifText = (bytes: Buffer, encoding: string) => (textIn(bytes, encoding) === undefined ? undefined : encoding)

/** Returns undefined for invalid bytes and control characters. */
function textIn(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: bytes.length === SAMPLE_BYTES })
    return CONTROL.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0
