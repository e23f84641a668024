import { createReadStream } from 'node:fs'
import { TextDecoder } from 'node:util'
import { defined } from '../../base/defined.ts'
import type { MessageKey } from '../../base/languages/dictionary.ts'
import { message, verbatim } from '../../base/languages/say.ts'
import { UnreadableFile, WrongEncoding } from './row.ts'

/** A program that adds a mark to a text with a mark writes two. */
const MARKS = /^\ufeff+/
/** End-of-file character of MS-DOS text files. */
const SUB = '\x1a'
const FOREIGN: readonly (readonly [start: Buffer, text: MessageKey])[] = [
  // Also Excel (.xlsx) and LibreOffice (.ods).
  [Buffer.from('PK\x03\x04'), 'The file is a workbook of a spreadsheet, or another zip: save the table as CSV there.'],
  [
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'The file is a workbook of an older spreadsheet (.xls): save the table as CSV there.',
  ],
  [Buffer.from('1f8b', 'hex'), 'The file is compressed with gzip: unpack it first.'],
  [Buffer.from('28b52ffd', 'hex'), 'The file is compressed with zstd: unpack it first.'],
  [Buffer.from('fd377a585a00', 'hex'), 'The file is compressed with xz: unpack it first.'],
]

/** Encodings in which every byte is valid, so that only control characters reveal a file that is not text. */
const SINGLE_BYTE = ['windows-1252', 'macintosh']
/** Common names that the Encoding Standard lacks. */
const OTHER_NAMES: Readonly<Record<string, string>> = { 'mac-roman': 'macintosh', macroman: 'macintosh' }
const CONTROL = /(?![\t\n\v\f\r\x7f-\x9f])\p{Cc}/u
const NO_TEXT = 'The file is not text. Save the sheet as CSV or as a workbook (.xlsx).'

/**
 * Yields the text of a file. A byte order mark takes precedence over `encoding`. An invalid byte throws UnreadableFile
 * if the file has a mark, else WrongEncoding.
 */
export async function* fileText(
  path: string,
  encoding: string,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let marked: string | undefined
  let isFirst = true
  let held = ''
  let offset = 0
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const bytes of chunks) {
    if (isFirst) {
      refuseForeign(bytes)
      marked = markedEncoding(bytes)
    }
    decoder ??= decoderOf(marked ?? orderedEncoding(encoding, bytes))
    let text = held + (await decoded(() => defined(decoder).decode(bytes, { stream: true })))
    held = text.endsWith(SUB) ? SUB : ''
    text = text.slice(0, text.length - held.length)
    if (SINGLE_BYTE.includes(decoder.encoding) && CONTROL.test(text)) throw new UnreadableFile(NO_TEXT)
    onBytes(bytes.length)
    yield isFirst ? text.replace(MARKS, '') : text
    isFirst = false
    offset += bytes.length
  }
  const rest = await decoded(() => decoder?.decode() ?? '')
  if (rest !== '') yield held + rest

  async function decoded(decode: () => string): Promise<string> {
    try {
      return decode()
    } catch {
      const name = decoder?.encoding ?? encoding
      const line = await invalidLine(path, name, offset)
      if (marked === undefined)
        throw new WrongEncoding(
          message(
            'Line {line} is not {encoding}. Correct the line, or pass the encoding of the file: --encoding windows-1252, mac-roman or utf-16.',
            { line, encoding: name },
          ),
          line,
        )
      throw new UnreadableFile(
        message(
          'The file begins with the byte order mark of {encoding}, but line {line} is not {encoding}. Save the file again as UTF-8.',
          { line, encoding: name },
        ),
      )
    }
  }
}

/** Returns the line of the first invalid byte. `offset` is the start of the chunk that contains it. */
async function invalidLine(path: string, encoding: string, offset: number): Promise<number> {
  const decoder = decoderOf(encoding)
  let line = 1
  let last = ''
  let position = 0
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  try {
    for await (const bytes of chunks) {
      const step = position < offset ? bytes.length : 1
      for (let at = 0; at < bytes.length; at += step) {
        for (const character of decoder.decode(bytes.subarray(at, at + step), { stream: true })) {
          if (character === '\r' || (character === '\n' && last !== '\r')) line += 1
          last = character
        }
      }
      position += bytes.length
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return line
}

function refuseForeign(bytes: Buffer): void {
  const found = FOREIGN.find(([start]) => bytes.subarray(0, start.length).equals(start))
  if (found) throw new UnreadableFile(found[1])
}

function markedEncoding([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

/** Detects UTF-16BE without a mark, by an ASCII first character. */
const orderedEncoding = (encoding: string, [first, second]: Buffer): string =>
  encoding.toLowerCase() === 'utf-16' && first === 0 && second !== 0 ? 'utf-16be' : encoding

/** Reports whether a file has non-ASCII characters in UTF-8, so that its invalid bytes are damage. */
export async function hasUtf8(path: string): Promise<boolean> {
  const decoder = new TextDecoder()
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const bytes of chunks) if (/[^\0-\x7f\ufffd]/.test(decoder.decode(bytes, { stream: true }))) return true
  return false
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(OTHER_NAMES[encoding.toLowerCase()] ?? encoding, { fatal: true, ignoreBOM: true })
  } catch {
    throw new UnreadableFile(
      verbatim(`There is no encoding ${encoding}. Pass another, such as utf-8, windows-1252, mac-roman or utf-16.`),
    )
  }
}
