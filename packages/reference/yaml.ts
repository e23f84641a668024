import { isRecord } from '@campus/engine/base/narrow'

/** Yields a JSON value as YAML 1.2 in block style. Libraries are too slow for a document of megabytes. */
export function* yamlPieces(value: unknown): Generator<string> {
  if (isEmpty(value) || !isRecord(value)) {
    yield isEmpty(value) ? scalar(value) : block(value, '').slice(1)
  } else {
    let isFirst = true
    for (const piece of members(value, '', 3)) {
      yield isFirst ? piece.slice(1) : piece
      isFirst = false
    }
  }
  yield '\n'
}

/** Yields the members of an object, one piece for each member down to `levels` levels. */
function* members(value: object, indent: string, levels: number): Generator<string> {
  for (const [key, item] of Object.entries(value)) {
    if (levels > 1 && !isEmpty(item) && isRecord(item)) {
      yield keyOf(key, indent)
      yield* members(item, `${indent}  `, levels - 1)
    } else yield memberOf(key, item, indent)
  }
}

const keyOf = (key: string, indent: string) => `\n${indent}${word(key)}:`

function memberOf(key: string, item: unknown, indent: string): string {
  return keyOf(key, indent) + (isEmpty(item) ? ` ${scalar(item)}` : block(item, `${indent}  `))
}

/** Writes a value below a key or a dash. Each line begins with a line break and the indent. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `\n${indent}-${isEmpty(item) ? ` ${scalar(item)}` : inDash(item, indent)}`).join('')
  }
  return Object.entries(isRecord(value) ? value : {})
    .map(([key, item]) => memberOf(key, item, indent))
    .join('')
}

/** Writes the first line of an element beside its dash. */
const inDash = (item: unknown, indent: string) => ` ${block(item, `${indent}  `).slice(indent.length + 3)}`

/** Whether the value fits behind its key. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  for (const _ in value) return false
  return true
}

const scalar = (value: unknown) => (typeof value === 'string' ? word(value) : JSON.stringify(value))

/** Writes a text without quotes if it is unambiguous. JSON's quotes are valid in YAML. */
const word = (text: string) => (/^[A-Za-z_][\w-]*$/.test(text) && !KEYWORDS.test(text) ? text : JSON.stringify(text))

/** Texts that YAML 1.1 or 1.2 parsers read as a boolean or null. */
const KEYWORDS = /^(true|false|yes|no|on|off|null|y|n)$/i
