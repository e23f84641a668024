import { toError } from '../../base/caught.ts'
import { defined } from '../../base/defined.ts'
import { type Message, verbatim } from '../../base/languages/say.ts'
import { excessOfJson } from '../../http/body-limits.ts'
import { isParams } from '../../http/params.ts'
import { parseExactJson } from './exact-json.ts'
import { MAX_CHARACTERS, MAX_NAME_CHARACTERS, type Row, UnreadableFile } from './row.ts'

/** Yields rows of JSON objects, one a line. Members of a nested object are columns such as `shelf.slug`. */
export async function* readNdjson(text: AsyncIterable<string>): AsyncGenerator<Row> {
  let line = 0
  let isEmpty = true
  for await (const content of linesOf(text)) {
    line += 1
    if (content.trim() === '') continue
    isEmpty = false
    yield readLine(content, line)
  }
  if (isEmpty) throw new UnreadableFile(verbatim('The file is empty; each of its lines must hold an object as JSON.'))
}

function readLine(content: string, line: number): Row {
  const faulty = (fault: Message): Row => ({ line, cells: {}, size: 0, fault })
  const excess = excessOfJson(Buffer.from(content))
  if (excess !== undefined) return faulty(excess)
  try {
    const value = parseExactJson(content)
    if (!isParams(value)) return faulty(verbatim('must be an object as JSON'))
    const cells = [...cellsOf(value)]
    if (cells.some(([name]) => name.length > MAX_NAME_CHARACTERS))
      return faulty(verbatim(`has a name that is longer than ${MAX_NAME_CHARACTERS} characters`))
    const size = cells.reduce((sum, [name]) => sum + name.length, content.length)
    return { line, cells: Object.fromEntries(cells), size }
  } catch (error) {
    return faulty(verbatim(`is not JSON: ${toError(error).message.slice(0, 200)}`))
  }
}

const MAX_DEPTH = 8

function* cellsOf(
  object: Readonly<Record<string, unknown>>,
  before = '',
  depth = 0,
): Generator<readonly [name: string, value: unknown]> {
  for (const [name, value] of Object.entries(object)) {
    // Some fields take whole objects.
    yield [before + name, value]
    if (isParams(value) && depth < MAX_DEPTH) yield* cellsOf(value, `${before}${name}.`, depth + 1)
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let line = 1
  for await (const piece of text) {
    // Splitting the whole line for each piece would take quadratic time.
    const [first = '', ...others] = piece.split('\n')
    const lines = [rest + first, ...others]
    rest = defined(lines.pop())
    line += lines.length
    yield* lines
    if (rest.length > MAX_CHARACTERS)
      throw new UnreadableFile(verbatim(`Line ${line} is longer than ${MAX_CHARACTERS} characters.`))
  }
  if (rest !== '') yield rest
}
