import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Ready } from './messages.ts'
import type { Comparison } from './rounds.ts'

export type Line = Comparison & {
  readonly name: string
  /** The ratio to reach; undefined where there is none. */
  readonly aim: number | undefined
}

/** The machine and the data that figures belong to. */
export function describeMachine({ database, rows }: Pick<Ready, 'database' | 'rows'>) {
  const cores = availableParallelism()
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    cores,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    database,
    rows,
  }
}

/** Returns the report as text for people. */
export function formatReport(machine: ReturnType<typeof describeMachine>, lines: readonly Line[]): string {
  const { processor, cores, memoryGigabytes, node, database, rows } = machine
  const counts = Object.entries(rows).map(([table, count]) => `${count.toLocaleString('en')} ${table}`)
  const table = [
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'bare', 'p50 ms', 'p99 ms', 'ratio', 'aim'],
    ...lines.map(({ name, aim, ours, bare, ratio }) => [
      name,
      ...formatSample(ours),
      ...formatSample(bare),
      ratio.toFixed(2),
      aim?.toFixed(2) ?? '',
    ]),
  ]
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => (row[column] as string).length))) ?? []
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return [
    `${processor}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}`,
    `${database}; ${counts.join(', ')}`,
    '',
    ...table.map((row) => row.map(pad).join('  ')),
  ].join('\n')
}

const formatSample = ({ requestsPerSecond, p50, p99 }: Comparison['ours']) => [
  Math.round(requestsPerSecond).toLocaleString('en'),
  p50.toFixed(1),
  p99.toFixed(1),
]
