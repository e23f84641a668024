import { isRecord } from '@campus/engine/base/narrow'
import { printableValue } from '@campus/engine/base/text/printable'
import type { Result } from './database-command.ts'

/** Returns rows below a line of titles, in columns of the needed widths, or `empty` without rows. */
export async function columnsOf(rows: unknown, titles: Readonly<Record<string, string>>, empty = ''): Promise<string> {
  const list = listOf(rows)
  if (list.length === 0) return empty
  const { default: Table } = await import('cli-table3')
  const table = new Table({ head: Object.values(titles), chars: NO_LINES, style: PLAIN })
  for (const row of list) table.push(Object.keys(titles).map((name) => textOf(row[name])))
  return table.toString().replace(/ +$/gm, '')
}

/** Returns a line for each value. */
export function linesOf(values: Result): string {
  const entries = Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
  const present = entries.filter(([, value]) => value !== null && value !== '')
  const width = Math.max(...present.map(([name]) => String(name).length))
  return present.map(([name, value]) => `  ${String(name).padEnd(width)}  ${value}`).join('\n')
}

/** Returns the records of a list within a result. */
export const listOf = (value: unknown): readonly Result[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** Returns the members of a record within a result. */
export const membersOf = (value: unknown): Result => (isRecord(value) ? value : {})

/** `1 migration`, `2 migrations`. */
export const counted = (number: unknown, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`

const textOf = (value: unknown) => printableValue(String(Array.isArray(value) ? value.join(', ') : (value ?? '')))

const PLAIN = { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true }

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right']
    .flatMap((side) => [side, `${side}-mid`])
    .concat(['top-left', 'top-right', 'bottom-left', 'bottom-right', 'mid', 'mid-mid', 'left-mid', 'right-mid'])
    .concat('middle')
    .map((part) => [part, '']),
)
