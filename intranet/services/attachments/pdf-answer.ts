import { boolean, type InferOutput, literal, number, object, union } from 'valibot'

/** `hasPicture` means that the output is the first page as PNG. */
export const PDF_ANSWER = union([
  object({ pageCount: number(), hasPicture: boolean() }),
  object({ isTooCostly: literal(true) }),
])
export type PdfAnswer = InferOutput<typeof PDF_ANSWER>
