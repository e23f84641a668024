import { randomBytes } from 'node:crypto'
import { type Message, message } from '@campus/engine/base/languages/say'
import type { Database, Handle } from '@campus/engine/database/database'
import { deleteInBatches } from '@campus/engine/database/in-batches'
import { type HttpError, unprocessable } from '@campus/engine/errors'
import { readInProcess } from '@campus/engine/http/readers/read-in-process'
import type { ReaderLimits } from '@campus/engine/http/readers/reader-host'
import type { Staging } from '@campus/engine/http/staging'
import type { UploadedFile } from '@campus/engine/http/uploaded-file'
import { WrongValue } from '@campus/engine/rest/declare/fields/kinds'
import { sql } from 'kysely'
import { contentTypeOf } from './content-types.ts'
import type { FileStore } from './file-store.ts'
import { PICTURE_ANSWER, type PictureAnswer } from './picture-answer.ts'
import type { Crop, PictureTask } from './picture-reader.ts'
import { PICTURE_TYPES, type PictureFormat, type PictureSize } from './picture-sizes.ts'
import { needFiles, storeBytes } from './stored-files.ts'

/** Reading a picture of this size needs up to 550 MiB, most for WebP and CMYK. */
const MAX_PIXELS = 40_000_000
/** Reading a JPEG of this size needs no more. Phone cameras have 50 megapixels. */
const MAX_JPEG_PIXELS = 52_000_000
const MIN_PIXELS = 80
const READER_LIMITS: ReaderLimits = { seconds: 15, heapMib: 64 }

type Dependencies = {
  readonly database: Database
  readonly store: FileStore
  readonly staging: Staging
  readonly now: Date
}

/**
 * Stores a square of an uploaded picture in each size and format, and returns the address for `users.image`. Only pixels are
 * stored, so the place where it was taken stays unknown. `takePicture` must record it. Throws 422.
 */
export async function storeProfilePicture(
  dependencies: Dependencies,
  personId: number,
  upload: UploadedFile,
  crop: Crop | undefined,
): Promise<StoredPicture> {
  const { staged } = upload
  if (!staged)
    throw refusal(
      message('has more than {megabytes, number} MB', { megabytes: Math.floor((upload.exceeds ?? 0) / 1_048_576) }),
    )
  await contentTypeOf(staged.path, staged.bytes, 'image').catch((error) => {
    throw error instanceof WrongValue ? unprocessable({ picture: [error.text] }) : error
  })
  const limits = { minPixels: MIN_PIXELS, maxPixels: MAX_PIXELS, maxJpegPixels: MAX_JPEG_PIXELS }
  const task = {
    reader: 'picture-reader',
    from: import.meta.url,
    path: staged.path,
    more: { crop, ...limits } satisfies PictureTask,
    limits: READER_LIMITS,
    answers: PICTURE_ANSWER,
  }
  const { answer, output, wasKilled } = await readInProcess(task, { personId })
  if (!answer || !output || 'fault' in answer) throw refusalOf(answer, wasKilled)
  const files: StoredFileOf[] = []
  let at = 0
  for (const { size, format, bytes } of answer.files) {
    const content = output.subarray(at, at + bytes)
    files.push({ size, format, id: await storeBytes(dependencies, content, PICTURE_TYPES[format]) })
    at += bytes
  }
  return { name: randomBytes(16).toString('hex'), files }
}

function refusalOf(answer: PictureAnswer | undefined, wasKilled: boolean): HttpError {
  if (wasKilled) return refusal('takes too long to read. Send a picture with fewer pixels')
  const { fault, maxPixels = MAX_PIXELS } = answer && 'fault' in answer ? { maxPixels: undefined, ...answer } : {}
  if (fault === 'too small')
    return refusal(message('must be at least {pixels} pixels wide and high', { pixels: MIN_PIXELS }))
  if (fault === 'too large')
    return refusal(message('has more than {megapixels} megapixels', { megapixels: maxPixels / 1_000_000 }))
  if (fault === 'cut off') return refusal('cannot be read as a picture: its end is missing. Copy the file again.')
  return refusal('cannot be read as a picture')
}

type StoredFileOf = { readonly size: PictureSize; readonly format: PictureFormat; readonly id: number }
export type StoredPicture = { readonly name: string; readonly files: readonly StoredFileOf[] }

/** The address cannot be guessed and changes with the picture. */
export const pathOfPicture = ({ name }: Pick<StoredPicture, 'name'>): string => `/uploads/pictures/${name}.jpg`

const refusal = (text: Message) => unprocessable({ picture: [text] })

/** Records a stored picture as one of a person, in the transaction that sets their `image`. */
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
