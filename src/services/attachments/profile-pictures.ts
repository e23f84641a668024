import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Sharp } from 'sharp'
import { type Message, message } from '../../base/languages/say.ts'
import { namesOf } from '../../base/narrow.ts'
import type { Database, Handle } from '../../database/database.ts'
import { deleteInBatches } from '../../database/in-batches.ts'
import { HttpError, unprocessable } from '../../errors.ts'
import { FairQueue } from '../../http/fair-queue.ts'
import type { Staging } from '../../http/staging.ts'
import type { UploadedFile } from '../../http/uploaded-file.ts'
import { WrongValue } from '../../rest/declare/fields/kinds.ts'
import { contentTypeOf } from './content-types.ts'
import type { FileStore } from './file-store.ts'
import { PICTURE_SIZES } from './picture-sizes.ts'
import { needFiles, storeBytes } from './stored-files.ts'

/** A picture of as many pixels takes 160 MB while it is read. */
const MAX_PIXELS = 40_000_000
const MIN_PIXELS = 80
const READ_SECONDS = 20

/** The smallest first. */
export const PICTURE_FORMATS = {
  avif: { type: 'image/avif', write: (picture: Sharp) => picture.avif({ quality: 55, effort: 3 }) },
  webp: { type: 'image/webp', write: (picture: Sharp) => picture.webp({ quality: 80 }) },
  jpeg: { type: 'image/jpeg', write: (picture: Sharp) => picture.jpeg({ quality: 82, mozjpeg: true }) },
} as const
export type PictureFormat = keyof typeof PICTURE_FORMATS

/** The square of a picture that is shown, in its pixels. */
export type Crop = { readonly left: number; readonly top: number; readonly side: number }

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/** One picture at a time is read: each needs much memory. */
const queue = new FairQueue({ room: 1, maxWaitingPerPerson: 1, maxWaiting: 20, seconds: 30 })

/**
 * Stores a square of an uploaded picture in each size and format, and gives the address for `users.image`; without a crop the
 * square around the middle. Nothing of the upload but its pixels is stored: where it was taken stays unknown. To be named
 * by `takePicture`. Throws 422 for what is no picture, or too large or small a one.
 */
export async function storeProfilePicture(
  dependencies: Dependencies,
  personId: number,
  upload: UploadedFile,
  crop: Crop | undefined,
): Promise<StoredPicture> {
  const { staged } = upload
  if (!staged) throw refusal(message('has more than {most} bytes', { most: upload.exceeds ?? 0 }))
  await contentTypeOf(staged.path, staged.bytes, 'image').catch((error) => {
    throw error instanceof WrongValue ? unprocessable({ picture: [error.text] }) : error
  })
  return queue.run(personId, async () => {
    const files: StoredFileOf[] = []
    const square = await readSquare(staged.path, crop)
    for (const size of namesOf(PICTURE_SIZES)) {
      const width = PICTURE_SIZES[size]
      for (const format of namesOf(PICTURE_FORMATS)) {
        const { type, write } = PICTURE_FORMATS[format]
        const bytes = await write(square.clone().resize(width, width)).toBuffer()
        files.push({ size, format, id: await storeBytes(dependencies, bytes, type) })
      }
    }
    return { name: randomBytes(16).toString('hex'), files }
  })
}

type StoredFileOf = { readonly size: string; readonly format: PictureFormat; readonly id: number }
export type StoredPicture = { readonly name: string; readonly files: readonly StoredFileOf[] }

/** The address of a profile picture. Nobody can guess it, and it changes with the picture. */
export const pathOfPicture = ({ name }: Pick<StoredPicture, 'name'>): string => `/uploads/pictures/${name}.jpg`

async function readSquare(path: string, crop: Crop | undefined): Promise<Sharp> {
  const { default: sharp } = await import('sharp')
  const open = () => sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error' }).timeout({ seconds: READ_SECONDS })
  try {
    const { autoOrient, width, height } = await open().metadata()
    const size = autoOrient ?? { width, height }
    const least = Math.min(size.width, size.height)
    if (least < MIN_PIXELS)
      throw refusal(message('must be at least {pixels} pixels wide and high', { pixels: MIN_PIXELS }))
    const { left, top, side } = within(size, crop ?? middleOf(size, least))
    const { data, info } = await open()
      .autoOrient()
      .extract({ left, top, width: side, height: side })
      .resize(PICTURE_SIZES.large, PICTURE_SIZES.large)
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    return sharp(data, { raw: info })
  } catch (error) {
    throw error instanceof HttpError ? error : refusal('cannot be read as a picture')
  }
}

type Area = { readonly width: number; readonly height: number }

const middleOf = ({ width, height }: Area, side: number): Crop => ({
  left: Math.floor((width - side) / 2),
  top: Math.floor((height - side) / 2),
  side,
})

/** Browsers round, and anybody may send anything. */
function within({ width, height }: Area, crop: Crop): Crop {
  const side = between(MIN_PIXELS, Math.round(crop.side), Math.min(width, height))
  return {
    side,
    left: between(0, Math.round(crop.left), width - side),
    top: between(0, Math.round(crop.top), height - side),
  }
}

const between = (least: number, value: number, most: number) => Math.max(least, Math.min(value, most))

const refusal = (text: Message) => unprocessable({ picture: [text] })

/** Notes a stored picture as one of a person, in the transaction that sets their `image` to its address. */
export async function takePicture(
  tx: Handle,
  userId: number,
  { name, files }: StoredPicture,
  now: Date,
): Promise<void> {
  await needFiles(
    tx,
    files.map(({ id }) => id),
  )
  await tx.kysely.insertInto('profile_pictures').values({ name, user_id: userId, created_at: now }).execute()
  await tx.kysely
    .insertInto('profile_picture_files')
    .values(files.map(({ size, format, id }) => ({ name, size, format, file_id: id })))
    .execute()
}

/** Deletes pictures that their users no longer show. */
export const sweepProfilePictures = (handle: Pick<Handle, 'kysely'>, before: Date): Promise<number> =>
  deleteInBatches(
    handle,
    'profile_pictures',
    sql`created_at < ${before} and exists (
      select from users u where u.id = t.user_id and u.image is distinct from '/uploads/pictures/' || t.name || '.jpg')`,
  )
