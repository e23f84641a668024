import type { Pixels } from './pdf-worker.ts'

/** The picture of a page on white, in PNG. */
export async function pngOf({ width, height, data }: Pixels): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(data, { raw: { width, height, channels: 4 } })
    .flatten({ background: 'white' })
    .png({ compressionLevel: 9 })
    .toBuffer()
}
