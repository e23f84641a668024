import { deflateSync } from 'node:zlib'

/** A page of A4: a title on a band of colour, and paragraphs below it. Letters of Western Europe only. */
export type Page = { readonly title: string; readonly paragraphs: readonly string[] }

const WIDTH = 595
const HEIGHT = 842
const MARGIN = 60
const TEXT_SIZE = 12
const LINE = 18
/** Helvetica at this size takes about half of it for a letter. */
const LETTERS_IN_A_LINE = Math.floor((WIDTH - 2 * MARGIN) / (TEXT_SIZE * 0.5))

/** A PDF of these pages, the same bytes for the same pages. */
export function writePdf(title: string, pages: readonly Page[]): Buffer {
  const first = 6
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${escaped(title)}) >>`,
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH} ${HEIGHT}] /Contents ${first + index * 2 + 1} 0 R
/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      stream(draw(page, `${index + 1} / ${pages.length}`)),
    ]),
  ]
  return assemble(objects.map((object) => Buffer.from(object, 'latin1')))
}

function draw({ title, paragraphs }: Page, folio: string): string {
  const parts = [
    `0.13 0.25 0.45 rg 0 ${HEIGHT - 150} ${WIDTH} 150 re f`,
    text({ font: 'F2', size: 28, x: MARGIN, y: HEIGHT - 92, words: title, colour: '1 1 1' }),
    text({ font: 'F1', size: 9, x: WIDTH / 2 - 12, y: 36, words: folio, colour: '0.4 0.4 0.4' }),
  ]
  let y = HEIGHT - 200
  for (const paragraph of paragraphs) {
    for (const words of lines(paragraph)) {
      parts.push(text({ font: 'F1', size: TEXT_SIZE, x: MARGIN, y, words, colour: '0.1 0.1 0.1' }))
      y -= LINE
    }
    y -= LINE / 2
  }
  return parts.join('\n')
}

type Text = {
  readonly font: string
  readonly size: number
  readonly x: number
  readonly y: number
  readonly words: string
  readonly colour: string
}

const text = ({ font, size, x, y, words, colour }: Text) =>
  `BT ${colour} rg /${font} ${size} Tf ${x} ${y} Td (${escaped(words)}) Tj ET`

const escaped = (words: string) => words.replace(/[\\()]/g, '\\$&')

function lines(paragraph: string): string[] {
  const result = ['']
  for (const word of paragraph.split(' ')) {
    const line = result.at(-1) ?? ''
    if (line.length + word.length >= LETTERS_IN_A_LINE) result.push(word)
    else result[result.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return result
}

function stream(content: string): string {
  const packed = deflateSync(Buffer.from(content, 'latin1')).toString('latin1')
  return `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`
}

/** Numbers the objects from 1, the first of them the catalogue, and says where each begins. */
function assemble(objects: readonly Buffer[]): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  const starts: number[] = []
  let length = parts[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    starts.push(length)
    length += part.length
    parts.push(part)
  }
  const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const trailer = `trailer << /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${length}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`)])
}
