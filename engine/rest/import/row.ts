import { type FilledMessage, type Message, message } from '../../base/languages/say.ts'
import { AnsweredError } from '../../errors.ts'

/** A row of a file that is to be imported. */
export type Row = {
  /** Where it begins, from 1. */
  readonly line: number
  /** What it says, by the names of the columns: texts, and whatever else NDJSON has. */
  readonly cells: Readonly<Record<string, unknown>>
  /** How many characters its names and cells have. */
  readonly size: number
  /** Whether the row has fewer cells than the first line names columns. The other cells are empty. */
  readonly isShort?: boolean
  /** Why it cannot be read, if so. */
  readonly fault?: Message
}

/** What is wrong with a row, or with one cell of it. */
export type Fault = {
  readonly line: number
  /** Null where it is about the row as a whole. */
  readonly column: string | null
  /** What is wrong, or what would be right, as a predicate that follows the column's name. */
  readonly fault: FilledMessage
}

/** No row of an import is longer: a payload has no more room either. */
export const MAX_CHARACTERS = 1_048_576
export const MAX_COLUMNS = 2_000
/** Of the name of a column. */
export const MAX_NAME_CHARACTERS = 1_000

/** A file that cannot be read at all: what is wrong with it, and where. */
export class UnreadableFile extends AnsweredError {}

/** A file with bytes that its encoding does not have. */
export class WrongEncoding extends UnreadableFile {
  /** Line of the first such byte. */
  readonly line: number

  constructor(text: Message, line: number) {
    super(text)
    this.line = line
  }
}

/** Throws UnreadableFile where a file names more columns than any record has fields. */
export function requireFewColumns(count: number): void {
  if (count > MAX_COLUMNS)
    throw new UnreadableFile(message('The file names more than {most} columns.', { most: MAX_COLUMNS }))
}
