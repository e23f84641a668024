import { type FilledMessage, message } from '../../base/languages/say.ts'
import { MAX_CHARACTERS, UnreadableFile } from './row.ts'

export type Table = {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  /** Differences from the file as people see it. Tables of the previous release have none. */
  readonly notes?: readonly FilledMessage[]
}

export type TableLimits = {
  readonly rows: number
  readonly columns: number
  readonly characters: number
  readonly excess: FilledMessage
}

const SAMPLED_ROWS = 3
const MAX_SAMPLE_CHARACTERS = 80

export type TextFormat = { readonly encoding?: string | undefined; readonly delimiter?: string | undefined }

/** Returns the first values of each column, so that people can recognize it. */
export const samplesOf = ({ columns, rows }: Table): readonly string[] =>
  columns.map((_, at) =>
    rows
      .slice(0, SAMPLED_ROWS)
      .map((row) => row[at])
      .filter(Boolean)
      .join(', ')
      .slice(0, MAX_SAMPLE_CHARACTERS),
  )

/** Returns a function that counts rows. It throws UnreadableFile above the limits. */
export function limitRows(limits: TableLimits): (row: readonly string[]) => void {
  let rows = 0
  let characters = 0
  return (row) => {
    rows += 1
    if (rows > limits.rows || row.length > limits.columns) throw new UnreadableFile(limits.excess)
    const size = row.reduce((sum, cell) => sum + cell.length, 0)
    if (size > MAX_CHARACTERS)
      throw new UnreadableFile(message('A row has more than {most} characters.', { most: MAX_CHARACTERS }))
    characters += size
    if (characters > limits.characters) throw new UnreadableFile(tooManyCharacters(limits))
  }
}

export const tooManyCharacters = ({ characters }: TableLimits): FilledMessage =>
  message('The table has more than {most} characters. Split the file.', { most: characters })
