import { readFile } from 'node:fs/promises'
import * as v from 'valibot'
import { SETTINGS } from '../../src/base/settings/settings.ts'

export const OPERATING_FILE = new URL('../../docs/operating.md', import.meta.url)

const BEGIN = '<!-- `npm run settings` writes this table. -->\n\n'
const END = '\n\n<!-- The table ends. -->'

/** The page for operators with the table of settings as they are declared. */
export async function pageWithSettings(): Promise<string> {
  const page = await readFile(OPERATING_FILE, 'utf8')
  const [before, rest] = split(page, BEGIN)
  const [, after] = split(rest, END)
  return before + BEGIN + settingsTable() + END + after
}

/** The two parts of a text around a mark. Throws where it is not there once. */
function split(text: string, mark: string): readonly [string, string] {
  const [before, after, ...more] = text.split(mark)
  if (before === undefined || after === undefined || more.length > 0) throw new Error(`${mark.trim()} must stand once.`)
  return [before, after]
}

function settingsTable(): string {
  const lines = Object.entries(SETTINGS).map(([name, setting]) => line(name, setting))
  return ['| Variable | Value | Default | Meaning |', '|---|---|---|---|', ...lines].join('\n')
}

type Setting = (typeof SETTINGS)[keyof typeof SETTINGS] & { readonly flag?: string; readonly otherwise?: string }

function line(name: string, { schema, about, flag, otherwise }: Setting): string {
  const variable = flag ? `\`${name}\` (\`${flag.split(' ')[0]}\`)` : `\`${name}\``
  const given = v.getDefault(schema)
  return `| ${[variable, v.getTitle(schema.wrapped), otherwise ?? (given ? `\`${given}\`` : 'none'), about].join(' | ')} |`
}
