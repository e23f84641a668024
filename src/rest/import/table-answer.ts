import { array, type InferOutput, object, string, union } from 'valibot'

/** The columns of the table, which is in the output as JSON, or why the file has none. */
export const TABLE_ANSWER = union([object({ columns: array(string()) }), object({ fault: string() })])
export type TableAnswer = InferOutput<typeof TABLE_ANSWER>
