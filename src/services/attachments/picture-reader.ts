import sharp, { type Sharp } from 'sharp'
import { namesOf } from '../../base/narrow.ts'
import { answerWith, type Paths, readerTask, writeOutput } from '../../http/readers/reader.ts'
import type { PictureAnswer, WrittenPicture } from './picture-answer.ts'
import { PICTURE_SIZES, PICTURE_TYPES, type PictureFormat } from './picture-sizes.ts'

/** The square of a picture that is shown, in its pixels. */
export type Crop = { readonly left: number; readonly top: number; readonly side: number }

export type PictureTask = {
  /** The centre square by default. */
  readonly crop?: Crop | undefined
  readonly minPixels: number
  readonly maxPixels: number
}

const WRITERS: Readonly<Record<PictureFormat, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 1 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  jpeg: (picture) => picture.jpeg({ quality: 82, mozjpeg: true }),
}

const task = readerTask<PictureTask & Paths>()
sharp.concurrency(1)
sharp.cache(false)
await answerWith(await readAnswer())
process.exit()

async function readAnswer(): Promise<PictureAnswer> {
  const square = await readSquare().catch(() => 'unreadable' as const)
  if (typeof square === 'string') return { fault: square }
  const files: WrittenPicture[] = []
  const contents: Buffer[] = []
  for (const size of namesOf(PICTURE_SIZES)) {
    const width = PICTURE_SIZES[size]
    for (const format of namesOf(PICTURE_TYPES)) {
      const content = await WRITERS[format](square.clone().resize(width, width)).toBuffer()
      files.push({ size, format, bytes: content.length })
      contents.push(content)
    }
  }
  await writeOutput(task, Buffer.concat(contents))
  return { files }
}

async function readSquare(): Promise<Sharp | 'too small' | 'too large'> {
  const open = () => sharp(task.path, { limitInputPixels: task.maxPixels, failOn: 'error' })
  // `metadata()` reads only the header, so no limit is needed.
  const { autoOrient, width, height } = await sharp(task.path, { limitInputPixels: false }).metadata()
  if (width * height > task.maxPixels) return 'too large'
  const size = autoOrient ?? { width, height }
  const least = Math.min(size.width, size.height)
  if (least < task.minPixels) return 'too small'
  const { left, top, side } = within(size, task.crop ?? middleOf(size, least))
  const { data, info } = await open()
    .autoOrient()
    .extract({ left, top, width: side, height: side })
    .resize(PICTURE_SIZES.large, PICTURE_SIZES.large)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info })
}

type Area = { readonly width: number; readonly height: number }

function middleOf({ width, height }: Area, side: number): Crop {
  return { left: Math.floor((width - side) / 2), top: Math.floor((height - side) / 2), side }
}

/** Moves a crop into the picture. Browsers round coordinates, and clients may send any numbers. */
function within({ width, height }: Area, crop: Crop): Crop {
  const side = between(task.minPixels, Math.round(crop.side), Math.min(width, height))
  return {
    side,
    left: between(0, Math.round(crop.left), width - side),
    top: between(0, Math.round(crop.top), height - side),
  }
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}
