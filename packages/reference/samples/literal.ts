/** How a language writes the values of JSON. */
export type Dialect = {
  readonly null: string
  readonly true: string
  readonly false: string
  text(value: string): string
  /** What stands before a member's value. */
  key(name: string): string
}

const MAX_LINE = 44

/** A JSON value as a literal; what is too long for a line has one for each member. */
export function literal(dialect: Dialect, value: unknown, indent = ''): string {
  if (value === null) return dialect.null
  if (typeof value === 'boolean') return dialect[`${value}`]
  if (typeof value === 'string') return dialect.text(value)
  if (typeof value !== 'object') return String(value)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  const write = (inner: string) =>
    Array.isArray(value)
      ? value.map((one) => literal(dialect, one, inner))
      : Object.entries(value).map(([name, one]) => dialect.key(name) + literal(dialect, one, inner))
  const pad = open === '{' ? ' ' : ''
  const parts = write(indent)
  const line = parts.length === 0 ? open + close : `${open}${pad}${parts.join(', ')}${pad}${close}`
  if (!line.includes('\n') && indent.length + line.length <= MAX_LINE) return line
  const inner = `${indent}  `
  return `${open}\n${write(inner)
    .map((part) => `${inner}${part},\n`)
    .join('')}${indent}${close}`
}

const quoted = (text: string) => JSON.stringify(text)

export const TYPESCRIPT: Dialect = {
  null: 'null',
  true: 'true',
  false: 'false',
  text: (value) => `'${quoted(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`,
  key: (name) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : TYPESCRIPT.text(name)}: `,
}

export const PYTHON: Dialect = {
  null: 'None',
  true: 'True',
  false: 'False',
  text: quoted,
  key: (name) => `${quoted(name)}: `,
}

export const RUBY: Dialect = {
  null: 'nil',
  true: 'true',
  false: 'false',
  // Ruby looks for its own values within quotes.
  text: (value) => quoted(value).replace(/#(?=[{$@])/g, '\\#'),
  key: (name) => (/^[a-z_]\w*$/.test(name) ? `${name}: ` : `${RUBY.text(name)} => `),
}
