import { readFile, stat } from 'node:fs/promises'
import { toError } from '@campus/engine/base/caught'
import { answerWith, type Paths, readerTask, writeOutput } from '@campus/engine/http/readers/reader'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import type { PdfAnswer } from './pdf-answer.ts'

export type PdfTask = {
  /** Maximum WebAssembly memory, which holds the document and all derived data. */
  readonly maxMemoryBytes: number
  /** Maximum size of the picture of the first page, in pixels. */
  readonly box: { readonly width: number; readonly height: number }
}

type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

const task = readerTask<PdfTask & Paths>()
limitMemory(task.maxMemoryBytes)
const document = await load().catch(async (error) => {
  if (isCost(error)) await answerWith({ isTooCostly: true } satisfies PdfAnswer)
  process.exit()
})
const pageCount = document.getPageCount()
await answerWith({ pageCount, hasPicture: false } satisfies PdfAnswer)
await writeOutput(task, await pngOf(await draw(document, task.box)))
await answerWith({ pageCount, hasPicture: true } satisfies PdfAnswer)
process.exit()

async function load(): Promise<PDFiumDocument> {
  const { size } = await stat(task.path)
  if (size > task.maxMemoryBytes) throw tooMuchMemory()
  const library = await PDFiumLibrary.init()
  return library.loadDocument(await readFile(task.path))
}

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** V8 does not count WebAssembly memory as heap. */
function limitMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = function (this: Memory, pages) {
    if (this.buffer.byteLength + pages * 65_536 > maxBytes) throw tooMuchMemory()
    return grow.call(this, pages)
  }
}

function tooMuchMemory(): RangeError {
  return new RangeError('the document needs too much memory')
}

function isCost(error: unknown): boolean {
  return error instanceof RangeError || /memory|OOM|Aborted/i.test(toError(error).message)
}

async function draw(document: PDFiumDocument, box: PdfTask['box']): Promise<Pixels> {
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(box.width / originalWidth, box.height / originalHeight)
  if (!Number.isFinite(scale) || scale <= 0) throw new Error('the page has no size')
  const { width, height, data } = await page.render({
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    renderFormFields: true,
    render: async (bitmap) => bitmap.data,
  })
  return { width, height, data }
}

/** Returns the picture of a page on white, in PNG. */
async function pngOf({ width, height, data }: Pixels): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: 'white' })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
