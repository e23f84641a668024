import { readFile } from 'node:fs/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium'
import { lowerPriority } from '../../base/lower-priority.ts'

/** What the thread is started with. */
export type PdfTask = {
  readonly path: string
  /** Of WebAssembly memory, which holds the document and all that is made of it. */
  readonly maxMemoryBytes: number
  /** The box that the picture of the first page fits into, in pixels. */
  readonly box: { readonly width: number; readonly height: number }
}

/** RGBA, row by row. */
export type Pixels = { readonly width: number; readonly height: number; readonly data: Uint8Array }

/** What the thread says: first how many pages there are, then how the first one looks. */
export type FromPdfWorker = { readonly pageCount: number } | { readonly picture: Pixels }

lowerPriority()
const task: PdfTask = workerData
limitMemory(task.maxMemoryBytes)
const library = await PDFiumLibrary.init()
const document = await library.loadDocument(await readFile(task.path))
say({ pageCount: document.getPageCount() })
say({ picture: await draw(document, task.box) })

type Memory = { readonly buffer: ArrayBuffer; grow(pages: number): number }

/** V8's limits do not count WebAssembly memory; what asks for more gets the answer that there is none. */
function limitMemory(maxBytes: number): void {
  const { prototype } = WebAssembly.Memory
  const { grow } = prototype
  prototype.grow = function (this: Memory, pages) {
    if (this.buffer.byteLength + pages * 65_536 > maxBytes) throw new RangeError('the document needs too much memory')
    return grow.call(this, pages)
  }
}

async function draw(document: PDFiumDocument, box: PdfTask['box']): Promise<Pixels> {
  const page = document.getPage(0)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  const scale = Math.min(box.width / originalWidth, box.height / originalHeight)
  if (!Number.isFinite(scale) || scale <= 0) throw new Error('the page has no size')
  const { width, height, data } = await page.render({
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    render: async (bitmap) => bitmap.data,
  })
  return { width, height, data }
}

function say(message: FromPdfWorker): void {
  parentPort?.postMessage(message)
}
