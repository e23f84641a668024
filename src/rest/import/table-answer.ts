import { array, type InferOutput, number, object, string, union } from 'valibot'

/** The columns of the table, their samples and the number of rows, or why the file has no table. The output is the table as JSON. */
export const TABLE_ANSWER = union([
  object({ columns: array(string()), samples: array(string()), rows: number() }),
  object({ fault: string() }),
])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
