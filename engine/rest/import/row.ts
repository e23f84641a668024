import { type FilledMessage, type Message, message } from '../../base/languages/say.ts'
import { AnsweredError } from '../../errors.ts'

export type Row = {
  /** First line of the row, from 1. */
  readonly line: number
  /** Values by column: texts, or any JSON in NDJSON. */
  readonly cells: Readonly<Record<string, unknown>>
  /** Number of characters of names and cells. */
  readonly size: number
  /** The row has fewer cells than the first line. The other cells are empty. */
  readonly isShort?: boolean
  readonly fault?: Message
}

export type Fault = {
  readonly line: number
  readonly column: string | null
  /** Predicate that follows the column's name. */
  readonly fault: FilledMessage
}

/** Maximum length of a row, and of a payload. */
export const MAX_CHARACTERS = 1_048_576
export const MAX_COLUMNS = 2_000
export const MAX_NAME_CHARACTERS = 1_000

/** Error of a file as a whole. */
export class UnreadableFile extends AnsweredError {}

export class WrongEncoding extends UnreadableFile {
  readonly line: number

  constructor(text: Message, line: number) {
    super(text)
    this.line = line
  }
}

export function requireFewColumns(count: number): void {
  if (count > MAX_COLUMNS)
    throw new UnreadableFile(message('The file names more than {most} columns.', { most: MAX_COLUMNS }))
}
