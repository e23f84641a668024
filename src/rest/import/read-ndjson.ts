import { isParams } from '../../http/params.ts'
import { MOST_CHARACTERS } from './read-csv.ts'
import { type Row, UnreadableFile } from './row.ts'

/** The rows of a file with an object as JSON on each line. The columns of an object in it have its name and a point before theirs. */
export async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<Row> {
  let line = 0
  let isEmpty = true
  for await (const content of linesOf(text)) {
    line += 1
    if (content.trim() === '') continue
    isEmpty = false
    yield readLine(content, line)
  }
  if (isEmpty) throw new UnreadableFile('The file is empty; each of its lines must hold an object as JSON.')
}

function readLine(content: string, line: number): Row {
  try {
    const value: unknown = JSON.parse(content)
    if (isParams(value)) return { line, cells: cellsOf(value) }
    return { line, cells: {}, fault: 'must be an object as JSON' }
  } catch (error) {
    return { line, cells: {}, fault: `is not JSON: ${(error as Error).message.slice(0, 200)}` }
  }
}

const DEEPEST = 8

function cellsOf(object: Readonly<Record<string, unknown>>, before = '', depth = 0): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
      if (!isParams(value) || depth === DEEPEST) return [[before + name, value]]
      // The object itself, too: some fields are objects.
      return [[before + name, value], ...Object.entries(cellsOf(value, `${before}${name}.`, depth + 1))]
    }),
  )
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() as string
    line += lines.length
    yield* lines
    if (rest.length > MOST_CHARACTERS)
      throw new UnreadableFile(`Line ${line} is longer than ${MOST_CHARACTERS} characters.`)
  }
  if (rest !== '') yield rest
}
