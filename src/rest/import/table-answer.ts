import { array, type InferOutput, number, object, string, union } from 'valibot'

/** Describes the table, whose JSON is the output of the reader, or says why the file has no table. */
export const TABLE_ANSWER = union([
  object({ columns: array(string()), samples: array(string()), rows: number() }),
  object({ fault: string() }),
])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
