import { array, custom, type InferOutput, number, object, string, union } from 'valibot'
import { type FilledMessage, isFilledMessage } from '../../base/languages/say.ts'

const FILLED_MESSAGE = custom<FilledMessage>(isFilledMessage)

/** Describes the table, whose JSON is the output of the reader, or says why the file has no table. */
export const TABLE_ANSWER = union([
  object({ columns: array(string()), samples: array(string()), rows: number(), notes: array(FILLED_MESSAGE) }),
  object({ fault: FILLED_MESSAGE }),
])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
