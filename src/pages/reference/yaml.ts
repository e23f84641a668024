/** A JSON value as YAML 1.2 in block style: quick enough for a document of megabytes, which the libraries are not. */
export const yamlOf = (value: unknown): string =>
  isEmpty(value) ? `${scalar(value)}\n` : `${block(value, '').slice(1)}\n`

/** What stands below a key or a dash: each line begins with a line break and the indent. */
function block(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `\n${indent}-${isEmpty(item) ? ` ${scalar(item)}` : inDash(item, indent)}`).join('')
  }
  return Object.entries(value as object)
    .map(([key, item]) => `\n${indent}${word(key)}:${isEmpty(item) ? ` ${scalar(item)}` : block(item, `${indent}  `)}`)
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
