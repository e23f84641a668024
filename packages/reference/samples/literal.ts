/** The literals of a language for JSON values. */
type Dialect = {
  readonly null: string
  readonly true: string
  readonly false: string
  text(value: string): string
  /** Writes the name of a member with its separator. */
  key(name: string): string
}

const MAX_LINE = 44

/** Writes a JSON value as a literal. A value that is too long for one line has a line for each member. */
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
  // Ruby interpolates within quotes.
  text: (value) => quoted(value).replace(/#(?=[{$@])/g, '\\#'),
  key: (name) => (/^[a-z_]\w*$/.test(name) ? `${name}: ` : `${RUBY.text(name)} => `),
}
