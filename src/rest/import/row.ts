/** A row of a file that is to be imported. */
export type Row = {
  /** Where it begins, from 1. */
  readonly line: number
  /** What it says, by the names of the columns: texts, and whatever else NDJSON has. */
  readonly cells: Readonly<Record<string, unknown>>
  /** Why it cannot be read, if so. */
  readonly fault?: string
}

/** What is wrong with a row, or with one cell of it. */
export type Fault = {
  readonly line: number
  /** Null where it is about the row as a whole. */
  readonly column: string | null
  /** What is wrong, or what would be right, as a predicate that follows the column's name. */
  readonly fault: string
}

/** A file that cannot be read at all: what is wrong with it, and where. */
export class UnreadableFile extends Error {}
