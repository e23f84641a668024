import { readFile } from 'node:fs/promises'
import { namesOf } from '@campus/engine/base/narrow'
import { answerWith, type Paths, readerTask, writeOutput } from '@campus/engine/http/readers/reader'
import sharp, { type Metadata, type Sharp } from 'sharp'
import type { PictureAnswer, WrittenPicture } from './picture-answer.ts'
import { PICTURE_SIZES, PICTURE_TYPES, type PictureFormat } from './picture-sizes.ts'

/** The shown square of a picture, in its pixels. */
export type Crop = { readonly left: number; readonly top: number; readonly side: number }

export type PictureTask = {
  /** Default: the centre square. */
  readonly crop?: Crop | undefined
  readonly minPixels: number
  readonly maxPixels: number
  /** Limit of a JPEG in RGB or grey, which needs less memory than other pictures of its size. */
  readonly maxJpegPixels: number
}

const WRITERS: Readonly<Record<PictureFormat, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 55, effort: 1 }),
  webp: (picture) => picture.webp({ quality: 80 }),
  jpeg: (picture) => picture.jpeg({ quality: 82, mozjpeg: true }),
}

const END_OF_JPEG = Buffer.from([0xff, 0xd9])

type Corner = { readonly left: number; readonly top: number }
/** A corner of the crop as seen, and the largest `left` and `top` of the crop as stored. */
type Seen = Corner & { readonly right: number; readonly bottom: number }
type Orientation = {
  readonly angle: 0 | 90 | 180 | 270
  /** Whether the picture is mirrored before it is rotated. */
  readonly isMirrored: boolean
  /** Converts a crop from seen to stored coordinates. */
  readonly stored: (seen: Seen) => Corner
}

const UPRIGHT: Orientation = { angle: 0, isMirrored: false, stored: ({ left, top }) => ({ left, top }) }
/** Values of the tag Orientation (EXIF 2.32 §4.6.4). */
const ORIENTATIONS: Readonly<Record<number, Orientation>> = {
  1: UPRIGHT,
  2: { angle: 0, isMirrored: true, stored: ({ left, top, right }) => ({ left: right - left, top }) },
  3: {
    angle: 180,
    isMirrored: false,
    stored: (seen) => ({ left: seen.right - seen.left, top: seen.bottom - seen.top }),
  },
  4: { angle: 180, isMirrored: true, stored: ({ left, top, bottom }) => ({ left, top: bottom - top }) },
  5: { angle: 270, isMirrored: true, stored: ({ left, top }) => ({ left: top, top: left }) },
  6: { angle: 90, isMirrored: false, stored: ({ left, top, bottom }) => ({ left: top, top: bottom - left }) },
  7: {
    angle: 90,
    isMirrored: true,
    stored: (seen) => ({ left: seen.right - seen.top, top: seen.bottom - seen.left }),
  },
  8: { angle: 270, isMirrored: false, stored: ({ left, top, right }) => ({ left: right - top, top: left }) },
}

const task = readerTask<PictureTask & Paths>()
sharp.concurrency(1)
sharp.cache(false)
await answerWith(await readAnswer())
process.exit()

type Fault = Extract<PictureAnswer, { readonly fault: string }>

async function readAnswer(): Promise<PictureAnswer> {
  const square = await readSquare().catch((): Fault => ({ fault: 'unreadable' }))
  if ('fault' in square) return square
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

async function readSquare(): Promise<Sharp | Fault> {
  // `metadata()` reads only the header, so no limit is needed.
  const metadata = await sharp(task.path, { limitInputPixels: false }).metadata()
  const { autoOrient, width, height, format } = metadata
  const maxPixels = isScreenJpeg(metadata) ? task.maxJpegPixels : task.maxPixels
  if (width * height > maxPixels) return { fault: 'too large', maxPixels }
  const size = autoOrient ?? { width, height }
  const least = Math.min(size.width, size.height)
  if (least < task.minPixels) return { fault: 'too small' }
  const area = within(size, task.crop ?? middleOf(size, least))
  try {
    return await squareOf(sharp(task.path, { limitInputPixels: maxPixels, failOn: 'error' }), metadata, area)
  } catch (error) {
    const bytes = format === 'jpeg' ? await readFile(task.path) : undefined
    if (!bytes || bytes.subarray(-2).equals(END_OF_JPEG)) throw error
    // Interrupted copies lack the end marker. With the marker, missing pixels are the only warning.
    const whole = Buffer.concat([bytes, END_OF_JPEG])
    const marked = sharp(whole, { limitInputPixels: maxPixels, failOn: 'warning' })
    return squareOf(marked, metadata, area).catch(() => ({ fault: 'cut off' }))
  }
}

function isScreenJpeg({ format, channels }: Metadata): boolean {
  return format === 'jpeg' && channels <= 3
}

/** Rotates only the square, since a rotated copy of the whole picture would need as much memory again. */
async function squareOf(picture: Sharp, { width, height, orientation = 1 }: Metadata, crop: Crop): Promise<Sharp> {
  const { angle, isMirrored, stored } = ORIENTATIONS[orientation] ?? UPRIGHT
  const { side } = crop
  const { left, top } = stored({ ...crop, right: width - side, bottom: height - side })
  const { data, info } = await picture
    .extract({ left, top, width: side, height: side })
    .resize(PICTURE_SIZES.large, PICTURE_SIZES.large)
    .flop(isMirrored)
    .flatten({ background: 'white' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return sharp(data, { raw: info }).rotate(angle)
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
