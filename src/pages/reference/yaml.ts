import { isRecord } from '../../base/narrow.ts'
import type { Slices } from '../../base/slices.ts'

/** A JSON value as YAML 1.2 in block style: quick enough for a document of megabytes, which the libraries are not. */
export function* yamlOf(value: unknown): Slices<string> {
  if (isEmpty(value) || !isRecord(value)) return `${isEmpty(value) ? scalar(value) : block(value, '').slice(1)}\n`
  return `${(yield* members(value, '', 3)).slice(1)}\n`
}

/** The members of an object, with a pause after each of so many levels. */
function* members(value: object, indent: string, levels: number): Slices<string> {
  let text = ''
  for (const [key, item] of Object.entries(value)) {
    const below =
      levels > 1 && !isEmpty(item) && isRecord(item) ? yield* members(item, `${indent}  `, levels - 1) : undefined
    text += memberOf(key, item, indent, below)
    yield
  }
  return text
}

function memberOf(key: string, item: unknown, indent: string, below?: string): string {
  return `\n${indent}${word(key)}:${isEmpty(item) ? ` ${scalar(item)}` : (below ?? block(item, `${indent}  `))}`
}

/** What stands below a key or a dash: each line begins with a line break and the indent. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `\n${indent}-${isEmpty(item) ? ` ${scalar(item)}` : inDash(item, indent)}`).join('')
  }
  return Object.entries(isRecord(value) ? value : {})
    .map(([key, item]) => memberOf(key, item, indent))
    .join('')
}

/** The first line of an element stands beside its dash. */
const inDash = (item: unknown, indent: string) => ` ${block(item, `${indent}  `).slice(indent.length + 3)}`

/** Whether the value fits behind its key. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  for (const _ in value) return false
  return true
}

const scalar = (value: unknown) => (typeof value === 'string' ? word(value) : JSON.stringify(value))

/** A text without quotes where it can be taken for nothing else; JSON's quotes are YAML's too. */
const word = (text: string) => (/^[A-Za-z_][\w-]*$/.test(text) && !MEANT.test(text) ? text : JSON.stringify(text))

/** What a reader, also one of YAML 1.1, takes for a boolean or null. */
const MEANT = /^(true|false|yes|no|on|off|null|y|n)$/i
