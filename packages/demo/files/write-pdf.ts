import { deflateSync } from 'node:zlib'

/** A page of A4: a title on a band of colour, and paragraphs below it. Letters of Western Europe only. */
export type Page = { readonly title: string; readonly paragraphs: readonly string[] }

const SIZE = { width: 595, height: 842 }
const MARGIN = 60
/** Lines of Helvetica at 12 points that fit between the margins. */
const LINES = /.{1,79}(?: |$)/g

/** Writes a PDF. The same pages give the same bytes. */
export function writePdf(title: string, pages: readonly Page[]): Buffer {
  const first = 6
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ')
  const font = (name: string) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`
  return assemble([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    `<< /Title (${escaped(title)}) >>`,
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${SIZE.width} ${SIZE.height}] /Contents ${first + index * 2 + 1} 0 R
/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      stream(draw(page, `${index + 1} / ${pages.length}`)),
    ]),
  ])
}

function draw({ title, paragraphs }: Page, folio: string): string {
  const text = paragraphs.map((paragraph) => `${(paragraph.match(LINES) ?? []).map(line).join('\n')}\n0 -9 Td`)
  return `0.13 0.25 0.45 rg 0 ${SIZE.height - 150} ${SIZE.width} 150 re f
BT 1 1 1 rg /F2 28 Tf ${MARGIN} ${SIZE.height - 92} Td ${line(title)} ET
BT 0.4 0.4 0.4 rg /F1 9 Tf ${SIZE.width / 2 - 12} 36 Td ${line(folio)} ET
BT 0.1 0.1 0.1 rg /F1 12 Tf 18 TL ${MARGIN} ${SIZE.height - 200} Td
${text.join('\n')}
ET`
}

const line = (words: string) => `(${escaped(words)}) Tj T*`

const escaped = (words: string) => words.replace(/[\\()]/g, '\\$&')

function stream(content: string): string {
  const packed = deflateSync(Buffer.from(content, 'latin1')).toString('latin1')
  return `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n${packed}\nendstream`
}

/** Numbers the objects from 1, the catalogue first, and writes the table of their positions. */
function assemble(objects: readonly string[]): Buffer {
  let file = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const starts = objects.map((object, index) => {
    const start = String(file.length).padStart(10, '0')
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${start} 00000 n \n`
  })
  const size = objects.length + 1
  const trailer = `trailer << /Size ${size} /Root 1 0 R /Info 5 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(`${file}xref\n0 ${size}\n0000000000 65535 f \n${starts.join('')}${trailer}`, 'latin1')
}
