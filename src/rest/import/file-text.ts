import { createReadStream } from 'node:fs'
import { UnreadableFile } from './row.ts'

const BOM = '\u{feff}'
/** How every zip begins, and so files of Excel (.xlsx) and LibreOffice (.ods). */
const ZIP = Buffer.from('PK\x03\x04')

/** A file as text, in pieces. Throws UnreadableFile where its bytes are not in the encoding, with the line. */
export async function* fileText(
  path: string,
  encoding: string,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined
  let lines = 1
  let isFirst = true
  for await (const chunk of createReadStream(path)) {
    const bytes = chunk as Buffer
    if (isFirst && bytes.subarray(0, ZIP.length).equals(ZIP))
      throw new UnreadableFile('The file is a workbook of a spreadsheet, or another zip: save the table as CSV there.')
    decoder ??= decoderOf(encodingOf(bytes) ?? encoding)
    const text = decoded(() => (decoder as TextDecoder).decode(bytes, { stream: true }))
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
      throw new UnreadableFile(`At line ${lines} or soon after it, the file ${what}.`)
    }
  }
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
