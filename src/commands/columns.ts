import Table from 'cli-table3'
import { printableValue } from '../printable.ts'
import type { Result } from './operations.ts'

/** Rows below a line of titles, each column as wide as it must be. */
export function columnsOf(rows: readonly Result[], titles: Readonly<Record<string, string>>): string {
  const table = new Table({ head: Object.values(titles), chars: NO_LINES, style: PLAIN })
  for (const row of rows) table.push(Object.keys(titles).map((name) => textOf(row[name])))
  return table.toString().replace(/ +$/gm, '')
}

const textOf = (value: unknown) => printableValue(String(Array.isArray(value) ? value.join(', ') : (value ?? '')))

const PLAIN = { 'padding-left': 0, 'padding-right': 2, head: [], border: [], compact: true }

const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right']
    .flatMap((side) => [side, `${side}-mid`])
    .concat([
      'top-left',
      'top-right',
      'bottom-left',
      'bottom-right',
      'mid',
      'mid-mid',
      'left-mid',
      'right-mid',
      'middle',
    ])
    .map((part) => [part, '']),
)
