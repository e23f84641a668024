import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { pdf, slowPdf } from '../support/pdf.ts'
import { workbookOf } from '../support/workbooks.ts'
import type { UploadedFile } from './one-person-work.ts'

const MIB = 1_048_576

type Wanted = {
  readonly folder: string
  /** Token of a tutor who may attach files to the project. */
  readonly tutor: string
  readonly project: number
  /** Whether the files have the maximum size. */
  readonly isFull: boolean
}

/** Writes the files that cost most to read. Returns the files with the forms that accept them. */
export async function largeFiles({ folder, tutor, project, isFull }: Wanted): Promise<readonly UploadedFile[]> {
  const imported = { field: 'file', address: '/staff/import/new/users', fields: {}, times: isFull ? 200 : 2 }
  const picture = { field: 'picture', address: '/profile/picture', fields: { left: '0', top: '0', side: '5000' } }
  const attached = {
    field: 'attachment[attachable_attributes][][pdf]',
    address: `/v2/projects/${project}/attachments`,
    fields: {
      'attachment[kind]': 'pdf',
      'attachment[attachable_attributes][][name]': 'large',
      'attachment[attachable_attributes][][attachable_type]': 'pdf',
    },
    token: tutor,
  }
  const put = async (name: string, bytes: Uint8Array) => {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return { path, name }
  }
  return [
    { ...(await put('far.xlsx', farWorkbook())), ...imported },
    { ...(await put('large.csv', largeTable(isFull ? 9 * MIB : MIB))), ...imported },
    { ...(await put('rows.xlsx', workbookOf([{ rows: manyRows(isFull ? 1_048_574 : 20_000) }]))), ...imported },
    { ...(await put('picture.png', await largePicture(isFull ? 6_300 : 1_000))), ...picture, times: isFull ? 20 : 1 },
    {
      ...(await put('slow.pdf', isFull ? padded(slowPdf(), 40 * MIB) : pdf({ pages: 3 }))),
      ...attached,
      times: isFull ? 5 : 1,
    },
  ]
}

/** A few cells, as far apart as a sheet allows. */
const farWorkbook = () =>
  workbookOf([
    {
      rows: '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
    },
  ])

const manyRows = (count: number) => Array.from({ length: count }, (_, at) => `<row r="${at + 1}" s="1"/>`).join('')

/** Returns a table of 2,000 rows, the maximum of the import page. */
function largeTable(bytes: number): Buffer {
  const value = 'x'.repeat(Math.floor(bytes / 2_000 / 20))
  const rows = Array.from({ length: 2_000 }, (_, at) => `${at},${Array(19).fill(value)}`)
  const head = ['login', ...Array.from({ length: 19 }, (_, at) => `column${at}`)]
  return Buffer.from([head, ...rows].join('\n'))
}

const largePicture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: 'red', noise: noiseOf(side) } })
    .png({ compressionLevel: 1, palette: side > 2_000 })
    .toBuffer()

/** Noise does not compress, and large pictures are to stay within the bytes that are accepted. */
const noiseOf = (side: number) => (side > 2_000 ? undefined : ({ type: 'gaussian', mean: 128, sigma: 30 } as never))

/** Returns a PDF with a long comment before its end. */
const padded = (pdf: Buffer, bytes: number) =>
  Buffer.concat([
    pdf,
    Buffer.from('\n% '),
    Buffer.from(randomBytes(bytes / 2).toString('hex')),
    Buffer.from('\n%%EOF\n'),
  ])
