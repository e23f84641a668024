import { array, custom, type InferOutput, number, object, string, union } from 'valibot'
import { type FilledMessage, isFilledMessage } from '../../base/languages/say.ts'

/** Describes the table, whose JSON is the output of the reader, or says why the file has no table. */
export const TABLE_ANSWER = union([
  object({ columns: array(string()), samples: array(string()), rows: number() }),
  object({ fault: custom<FilledMessage>(isFilledMessage) }),
])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
