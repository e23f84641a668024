import { array, custom, type InferOutput, number, object, string, union } from 'valibot'
import { type FilledMessage, isFilledMessage } from '../../base/languages/say.ts'

const FILLED_MESSAGE = custom<FilledMessage>(isFilledMessage)

/** Answer of the reader process: a description of the table, whose JSON is its output, or the fault of the file. */
export const TABLE_ANSWER = union([
  object({ columns: array(string()), samples: array(string()), rows: number(), notes: array(FILLED_MESSAGE) }),
  object({ fault: FILLED_MESSAGE }),
])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
