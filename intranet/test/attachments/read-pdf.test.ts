import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { temporaryFolder } from '@campus/test/support/folder'
import { encryptedPdf, pdf, pdfOf, slowPdf } from '@campus/test/support/pdf'
import { costOf, slowness } from '@campus/test/support/sizes/measure'
import { PDFDocument, StandardFonts } from 'pdf-lib'
import sharp from 'sharp'
import { type PdfLimits, readPdf } from '../../services/attachments/read-pdf.ts'

const MIB = 1_048_576

describe('a PDF', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let files = 0

  before(async () => {
    folder = await temporaryFolder()
  })
  after(() => folder.remove())

  async function read(bytes: Uint8Array, limits?: PdfLimits) {
    files += 1
    const path = join(folder.path, `${files}.pdf`)
    await writeFile(path, bytes)
    return readPdf(path, { personId: 1, limits })
  }

  async function pixelsOf(picture: Buffer) {
    const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
    return { data, width: info.width, height: info.height }
  }

  it('has its pages counted and its first one drawn', async () => {
    const document = await PDFDocument.create()
    const font = await document.embedFont(StandardFonts.Helvetica)
    for (let page = 1; page <= 7; page += 1) document.addPage([595, 842]).drawText(`Page ${page}`, { font })
    const reading = await read(await document.save())
    assert.ok(typeof reading === 'object' && reading.picture)
    assert.equal(reading.pageCount, 7)
    const { width, height, data } = await pixelsOf(reading.picture)
    assert.deepEqual([width, height, data.length], [320, 453, 320 * 453 * 4])
    assert.ok(new Set(data).size > 2, 'the picture is empty')
  })

  it('shows what is where, in its colours', async () => {
    const content = Buffer.from('1 0 0 rg 0 421 595 421 re f 0 0 1 rg 0 0 595 421 re f')
    const reading = await read(pdf({ pages: 1, content }))
    assert.ok(typeof reading === 'object' && reading.picture)
    const { width, height, data } = await pixelsOf(reading.picture)
    const at = (x: number, y: number) => [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)]
    assert.deepEqual(
      [at(100, 20), at(100, height - 20)],
      [
        [255, 0, 0],
        [0, 0, 255],
      ],
    )
  })

  /** Returns the share of pixels that are not white. */
  async function inkOf(bytes: Uint8Array): Promise<number> {
    const reading = await read(bytes)
    assert.ok(typeof reading === 'object' && reading.picture)
    const { data } = await sharp(reading.picture).removeAlpha().greyscale().raw().toBuffer({ resolveWithObject: true })
    return data.filter((value) => value < 255).length / data.length
  }

  it('that is a filled-in form shows its texts, choices and ticks', async () => {
    const form = async (fill: (form: ReturnType<PDFDocument['getForm']>) => void) => {
      const document = await PDFDocument.create()
      const page = document.addPage([595, 842])
      const fields = document.getForm()
      const place = (y: number, side = 400) => ({ x: 100, y, width: side, height: 40, borderWidth: 0 })
      fields.createTextField('name').addToPage(page, place(700))
      fields.createCheckBox('agree').addToPage(page, place(600, 40))
      const dropdown = fields.createDropdown('track')
      dropdown.addOptions(['Web', 'Systems'])
      dropdown.addToPage(page, place(500))
      fill(fields)
      return inkOf(await document.save())
    }
    const empty = await form(() => {})
    for (const [what, fill] of [
      ['a text', (fields) => fields.getTextField('name').setText('Ada Lovelace')],
      ['a tick', (fields) => fields.getCheckBox('agree').check()],
      ['a choice', (fields) => fields.getDropdown('track').select('Systems')],
    ] satisfies [string, (fields: ReturnType<PDFDocument['getForm']>) => void][]) {
      const filled = await form(fill)
      assert.ok(filled > empty, `${what}: ${filled} after ${empty}`)
    }
  })

  const appearance = (content: string) =>
    `<< /Type /XObject /Subtype /Form /BBox [0 0 395 300] /Length ${content.length} >>\nstream\n${content}\nendstream`
  /** One empty page with an annotation, whose appearance is a red area under the number 6. */
  const annotated = (annotation: string, form = '') =>
    pdfOf([
      `<< /Type /Catalog /Pages 2 0 R /AcroForm << /DA (/Helv 0 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> ${form} >> >>`,
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots [4 0 R] >>',
      `<< /Type /Annot /Rect [100 300 495 600] ${annotation} >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      appearance('1 0 0 rg 0 0 395 300 re f'),
    ])
  const DRAWN = '/AP << /N 6 0 R >>'
  const quads = '/QuadPoints [100 600 495 600 100 300 495 300]'
  const named = '/FT /Tx /T (name) /V (Ada Lovelace) /DA (/Helv 40 Tf 0 g)'

  for (const [what, annotation, form] of [
    ['a text of a form', `/Subtype /Widget ${named} ${DRAWN}`, '/Fields [4 0 R]'],
    ['a text of a form that viewers draw', `/Subtype /Widget ${named}`, '/Fields [4 0 R] /NeedAppearances true'],
    ['a text of a form without appearance', `/Subtype /Widget ${named}`, '/Fields [4 0 R]'],
    ['a text that its form does not list', `/Subtype /Widget ${named} ${DRAWN}`],
    [
      'a ticked box',
      '/Subtype /Widget /FT /Btn /T (ok) /V /Yes /AS /Yes /AP << /N << /Yes 6 0 R >> >>',
      '/Fields [4 0 R]',
    ],
    ['a signature', `/Subtype /Widget /FT /Sig /T (s) ${DRAWN}`, '/Fields [4 0 R]'],
    ['a highlight', `/Subtype /Highlight ${quads} /C [1 1 0]`],
    ['an underline', `/Subtype /Underline ${quads} /C [1 0 0]`],
    ['a strikeout', `/Subtype /StrikeOut ${quads} /C [1 0 0]`],
    ['a square', '/Subtype /Square /C [1 0 0]'],
    ['a circle', '/Subtype /Circle /C [1 0 0]'],
    ['ink', '/Subtype /Ink /C [1 0 0] /InkList [[110 310 200 500 400 400]]'],
    ['a comment', '/Subtype /Text /Contents (Well done) /C [1 1 0]'],
    ['a text on the page', '/Subtype /FreeText /DA (/Helv 40 Tf 1 0 0 rg) /Contents (Well done)'],
    ['a stamp', `/Subtype /Stamp /Name /Approved ${DRAWN}`],
    ['a line', `/Subtype /Line /L [100 300 495 600] ${DRAWN}`],
  ] as const)
    it(`shows ${what}`, async () => assert.ok((await inkOf(annotated(annotation, form))) > 0))

  for (const [what, annotation] of [
    ['a hidden stamp', `/Subtype /Stamp /F 2 ${DRAWN}`],
    ['a stamp that is only printed', `/Subtype /Stamp /F 36 ${DRAWN}`],
    ['a hidden text of a form', `/Subtype /Widget /F 2 ${named} ${DRAWN}`],
    ['the window of a comment', `/Subtype /Popup /Open true ${DRAWN}`],
  ] as const)
    it(`does not show ${what}`, async () => assert.equal(await inkOf(annotated(annotation, '/Fields [4 0 R]')), 0))

  it('of ten thousand pages is counted', async () => {
    const reading = await read(pdf({ pages: 10_000 }))
    assert.equal(typeof reading === 'object' && reading.pageCount, 10_000)
  })

  for (const [what, bytes] of [
    ['cut in the middle', pdf({ pages: 3 }).subarray(0, 300)],
    ['of noise', Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(10_000, 'x')])],
    ['that is empty', Buffer.alloc(0)],
    ['with a password', encryptedPdf()],
  ] as const) {
    it(`${what} is unreadable`, async () => assert.equal(await read(bytes), 'unreadable'))
  }

  it('whose pages are their own ancestors is survived', async () => {
    const looped = Buffer.from(String(pdf({ pages: 2 })).replace('/Kids [5 0 R', '/Kids [2 0 R'), 'latin1')
    assert.ok(await read(looped))
  })

  for (const box of ['0 0 0 0', '0 0 1e30 1e30', '0 0 99999999 1', '5 5 -5 -5', '0 0 nan inf']) {
    it(`with a page of ${box} is survived`, async () => {
      const reading = await read(pdf({ pages: 2, box }))
      assert.equal(typeof reading === 'object' && reading.pageCount, 2)
    })
  }

  it('that cannot be drawn in time keeps its count and has no picture', async () => {
    assert.deepEqual(await read(slowPdf(), { seconds: 10, memoryBytes: 512 * MIB }), { pageCount: 2 })
  })

  it('that unfolds to more than the memory allowed has no picture, and takes no more', async () => {
    const bomb = pdf({ pages: 1, content: Buffer.alloc(300 * MIB, ' ') })
    assert.ok(bomb.length < MIB)
    const before = process.memoryUsage().rss
    const reading = await read(bomb, { seconds: 20, memoryBytes: 128 * MIB })
    assert.ok(
      reading === 'too costly' || (typeof reading === 'object' && !reading.picture),
      JSON.stringify(reading).slice(0, 200),
    )
    assert.ok(process.memoryUsage().rss - before < 300 * MIB)
  })

  const packed = (content: Buffer, more: string, filters = 1) => {
    let bytes = content
    for (let filter = 0; filter < filters; filter += 1) bytes = deflateSync(bytes, { level: 9 })
    const dictionary = `<< /Length ${bytes.length} /Filter [${'/FlateDecode '.repeat(filters)}] ${more} >>\nstream\n`
    return Buffer.concat([Buffer.from(dictionary), bytes, Buffer.from('\nendstream')])
  }
  /** One page that draws what is under the name I. */
  const showing = (object: Buffer) =>
    pdfOf([
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [5 0 R] /Count 1 >>',
      object,
      packed(Buffer.from('q 595 0 0 842 0 0 cm /I Do Q'), ''),
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /XObject << /I 3 0 R >> >> >>',
    ])
  const image = (width: number, bits: number) =>
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${width} /ColorSpace /DeviceGray /BitsPerComponent ${bits}`
  const form = '/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /I 3 0 R >> >>'
  const edited = (from: string, to: string) => Buffer.from(String(pdf({ pages: 1 })).replace(from, to), 'latin1')

  for (const [what, bytes] of [
    ['with a picture of 3600 million pixels', showing(packed(Buffer.alloc(100 * MIB), image(60_000, 1)))],
    [
      'with a picture of more pixels than there are numbers',
      showing(packed(Buffer.alloc(1), image(2_000_000_000, 16))),
    ],
    ['with a picture that was packed eight times', showing(packed(Buffer.alloc(50 * MIB), image(7_000, 8), 8))],
    ['with a form that draws itself', showing(packed(Buffer.from('/I Do '.repeat(100_000)), form))],
    ['that says it has two thousand million pages', edited('/Count 1', '/Count 2000000000')],
    ['with lists in lists', edited('/Type /Page ', `/Type /Page /Foo ${'['.repeat(500_000)}${']'.repeat(500_000)} `)],
    ['with a text that never ends', pdf({ pages: 1, content: Buffer.alloc(50 * MIB, '(') })],
    [
      'with a form of 30,000 texts without appearance',
      pdfOf([
        '<< /Type /Catalog /Pages 2 0 R /AcroForm << /NeedAppearances true /Fields 4 0 R >> >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Annots 4 0 R >>',
        `[${'<< /Subtype /Widget /Rect [0 0 9 9] /FT /Tx /V (a) >>'.repeat(30_000)}]`,
      ]),
    ],
    [
      'with a field that is its own parent',
      annotated(`/Subtype /Widget /Parent 4 0 R /Kids [4 0 R] ${DRAWN}`, '/Fields [4 0 R 4 0 R]'),
    ],
    ['that saves its state without end', pdf({ pages: 1, content: Buffer.alloc(50 * MIB, 'q ') })],
  ] as const) {
    it(`${what} takes no more memory and time than allowed, beside the event loop`, async () => {
      assert.ok(bytes.length < 2 * MIB)
      const before = process.memoryUsage().rss
      let least = Number.POSITIVE_INFINITY
      // Other garbage collections in this thread do not count, so the shortest of four attempts counts.
      for (let attempt = 0; attempt < 4 && least > 50; attempt += 1) {
        const { held } = await costOf(async () => {
          const reading = await read(bytes, { seconds: 1, memoryBytes: 128 * MIB })
          assert.ok(typeof reading === 'string' || reading.pageCount === 1)
        })
        least = Math.min(least, held / slowness())
      }
      assert.ok(least <= 50, `the event loop is held for ${least} ms`)
      assert.ok(process.memoryUsage().rss - before < 300 * MIB)
    })
  }

  it('is given up when nobody waits any more', async () => {
    const path = join(folder.path, 'slow.pdf')
    await writeFile(path, slowPdf())
    const stopping = new AbortController()
    const reading = readPdf(path, { personId: 1, signal: stopping.signal })
    stopping.abort(new Error('stopped'))
    await assert.rejects(reading, /stopped/)
  })
})
