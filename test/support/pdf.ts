import { deflateSync } from 'node:zlib'

/** The objects of a PDF, numbered from 1; the first is its catalogue. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  for (const [index, object] of objects.entries()) {
    offsets.push(length)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  }
  const start = length
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${lines}`))
  add(Buffer.from(`trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`))
  return Buffer.concat(parts)
}

type PdfOptions = { readonly pages: number; readonly text?: string; readonly content?: Buffer; readonly box?: string }

/** A PDF whose pages all show one text, or what `content` draws. */
export function pdf({ pages, text = 'Libft', content, box = '0 0 595 842' }: PdfOptions, trailer = ''): Buffer {
  const drawn =
    content ?? Buffer.from(`0.1 0.3 0.7 rg 40 640 515 140 re f 1 1 1 rg BT /F 48 Tf 60 690 Td (${text}) Tj ET`)
  const kids = Array.from({ length: pages }, (_, index) => `${index + 5} 0 R`).join(' ')
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [${box}] /Contents 4 0 R /Resources << /Font << /F 3 0 R >> >> >>`
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      `<< /Type /Pages /Kids [${kids}] /Count ${pages} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
      stream(drawn),
      ...Array.from({ length: pages }, () => page),
    ],
    trailer,
  )
}

/** A compressed stream: a few bytes may unfold to very many. */
function stream(content: Buffer): Buffer {
  const packed = deflateSync(content, { level: 9 })
  const head = `<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`
  return Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream')])
}

/** Encrypted with an unknown password. */
export const encryptedPdf = (): Buffer =>
  pdf(
    { pages: 3 },
    `/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <${'ab'.repeat(32)}> /U <${'cd'.repeat(32)}> >> /ID [<${'01'.repeat(16)}> <${'01'.repeat(16)}>]`,
  )

/** Drawing it takes far longer than the limit. */
export const slowPdf = (): Buffer =>
  pdf({ pages: 2, content: Buffer.from('0 0 595 842 re 10 10 500 700 re f*\n'.repeat(3_000_000)) })
