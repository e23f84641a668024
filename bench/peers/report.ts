import type { describeMachine } from '../report.ts'
import type { Line, Sample } from './compare.ts'

/** Memory of a server's process in megabytes. */
export type Memory = { readonly name: string; readonly idle: number; readonly afterwards: number }

export type Report = {
  readonly machine: ReturnType<typeof describeMachine>
  /** Load average of the minute before the measurement. */
  readonly loadBefore: number
  readonly connections: number
  readonly rounds: number
  /** Names of the columns. */
  readonly anewNames: readonly string[]
  readonly anew: readonly Line[]
  readonly againNames: readonly string[]
  readonly again: readonly Line[]
  readonly memory: readonly Memory[]
}

/** Returns the report as tables in Markdown. */
export function formatReport(report: Report): string {
  const { machine, loadBefore, connections, rounds, anewNames, anew, againNames, again, memory } = report
  const { processor, cores, memoryGigabytes, node, database, rows } = machine
  const counts = Object.entries(rows).map(([table, count]) => `${count.toLocaleString('en')} ${table}`)
  return [
    `${processor}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}; ${database}; ${counts.join(', ')}`,
    `${connections} connections, medians of ${rounds} rounds; load of the machine before: ${loadBefore.toFixed(1)}`,
    '',
    ...rates('requests a second, each answer made anew', anewNames, anew),
    '',
    ...processorTimes('processor time of a request, of the server + of the database', anewNames, anew),
    '',
    ...rates('requests a second, nothing changed, caches of answers on', againNames, again),
    '',
    '| memory of the process | idle | after the run |',
    '|---|---|---|',
    ...memory.map(({ name, idle, afterwards }) => row([name, `${idle.toFixed(0)} MB`, `${afterwards.toFixed(0)} MB`])),
  ].join('\n')
}

/**
 * Returns a table of request rates and median response times, with the ratios of the first server to each other server.
 */
function rates(title: string, names: readonly string[], lines: readonly Line[]): string[] {
  const [first = '', ...others] = names
  const heads = [...names.map((name) => `${name} (p50)`), ...others.map((name) => `${first} / ${name}`)]
  return [
    ...head([title, ...heads]),
    ...lines.map(({ name, samples, ratios }) =>
      row([name, ...samples.map(formatRate), ...ratios.slice(1).map((ratio) => `${significant(ratio)} ×`)]),
    ),
  ]
}

const processorTimes = (title: string, names: readonly string[], lines: readonly Line[]): string[] => [
  ...head([title, ...names]),
  ...lines.map(({ name, samples }) => row([name, ...samples.map(formatProcessor)])),
]

const formatRate = ({ requestsPerSecond, p50 }: Sample) => `${significant(requestsPerSecond)} (${significant(p50)} ms)`

const formatProcessor = ({ ownMilliseconds, databaseMilliseconds }: Sample) =>
  `${significant(ownMilliseconds)}${Number.isNaN(databaseMilliseconds) ? '' : ` + ${significant(databaseMilliseconds)}`} ms`

/** Rounds to two digits, since noise hides the third. */
const significant = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)))

const head = (cells: readonly string[]) => [row(cells), `|${cells.map(() => '---|').join('')}`]

const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
