import { createReadStream } from 'node:fs'
import { defined } from '../../base/defined.ts'
import { UnreadableFile, WrongEncoding } from './row.ts'

const BOM = '\u{feff}'
/** How files begin that are no text, and what they are. */
const FOREIGN: readonly (readonly [start: Buffer, what: string])[] = [
  // And so files of Excel (.xlsx) and LibreOffice (.ods).
  [Buffer.from('PK\x03\x04'), 'a workbook of a spreadsheet, or another zip: save the table as CSV there'],
  [Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'a workbook of an older spreadsheet (.xls): save the table as CSV there'],
  [Buffer.from('1f8b', 'hex'), 'compressed with gzip: unpack it first'],
  [Buffer.from('28b52ffd', 'hex'), 'compressed with zstd: unpack it first'],
  [Buffer.from('fd377a585a00', 'hex'), 'compressed with xz: unpack it first'],
]

/** Accepts any bytes, so bytes that no text has are refused. */
const SINGLE_BYTE = 'windows-1252'
const CONTROL = /(?![\t\n\v\f\r\x7f-\x9f])\p{Cc}/u
const NO_TEXT = 'The file is no text, so it is no table either. Save the sheet as CSV or as a workbook (.xlsx).'

/** A file as text, in pieces. Throws UnreadableFile where its bytes are not in the encoding, with the line. */
export async function* fileText(
  path: string,
  encoding: string,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let lines = 1
  let isFirst = true
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const bytes of chunks) {
    if (isFirst) refuseForeign(bytes)
    decoder ??= decoderOf(encodingOf(bytes) ?? encoding)
    const text = decoded(() => defined(decoder).decode(bytes, { stream: true }))
    if (decoder.encoding === SINGLE_BYTE && CONTROL.test(text)) throw new UnreadableFile(NO_TEXT)
    onBytes(bytes.length)
    yield isFirst && text.startsWith(BOM) ? text.slice(1) : text
    isFirst = false
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  }
  const rest = decoded(() => decoder?.decode() ?? '')
  if (rest !== '') yield rest

  function decoded(decode: () => string): string {
    try {
      return decode()
    } catch {
      const what = `is not ${decoder?.encoding ?? encoding}; say what it is, as in --encoding windows-1252`
      throw new WrongEncoding(`At line ${lines} or soon after it, the file ${what}.`)
    }
  }
}

function refuseForeign(bytes: Buffer): void {
  const found = FOREIGN.find(([start]) => bytes.subarray(0, start.length).equals(start))
  if (found) throw new UnreadableFile(`The file is ${found[1]}.`)
}

/** Bytes that say themselves how they are to be read go before whatever was said of the file. */
function encodingOf([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function decoderOf(encoding: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  } catch {
    throw new UnreadableFile(`There is no encoding ${encoding}; such as utf-8, windows-1252 and utf-16le are read.`)
  }
}
