import { namesOf } from '@campus/engine/base/narrow'
import { array, type InferOutput, literal, number, object, picklist, union } from 'valibot'
import { PICTURE_SIZES, PICTURE_TYPES } from './picture-sizes.ts'

const WRITTEN = object({
  size: picklist(namesOf(PICTURE_SIZES)),
  format: picklist(namesOf(PICTURE_TYPES)),
  bytes: number(),
})
export type WrittenPicture = InferOutput<typeof WRITTEN>

/** The files in the output, one after another, or the reason for none. */
export const PICTURE_ANSWER = union([
  object({ files: array(WRITTEN) }),
  object({ fault: picklist(['too small', 'cut off', 'unreadable']) }),
  object({ fault: literal('too large'), maxPixels: number() }),
])
export type PictureAnswer = InferOutput<typeof PICTURE_ANSWER>
