import { cpus } from 'node:os'
import { serviceVersion } from '@campus/engine/base/service'
import { TIMES_FILE, timesLine } from './test-times.ts'
import type { Totals } from './totals.ts'

const SHOWN = 25

/** Prints the results of a run: the slowest files, diagnostics, skips, failures and totals. */
export function report(results: readonly Totals[]): void {
  const slowest = results.toSorted((one, other) => other.processorSeconds - one.processorSeconds).slice(0, SHOWN)
  const lines = slowest.map((result) => timesLine(result.file, result))
  const processorTime = results.reduce((total, { processorSeconds }) => total + processorSeconds, 0)
  const skipped = [...new Set(results.flatMap(({ reasons }) => reasons))]
  console.log(
    `\nSlowest of ${results.length} test files, in processor seconds (${Math.round(processorTime)} in all) and seconds by the clock; all are in ${TIMES_FILE}:\n${lines.join('\n')}\n`,
  )
  for (const { file, diagnostics } of results) {
    if (diagnostics.length > 0) console.log(`${file}\n${diagnostics.map((line) => `  ${line}`).join('\n')}\n`)
  }
  if (skipped.length > 0) console.log(`${skipped.join('\n')}\n`)
  for (const { file, failures } of results) {
    for (const { name, why } of failures) console.log(`✖ ${file}: ${name}\n${why}\n`)
  }
  const { passed, failed, skipped: left } = countsOf(results)
  console.log(`${passed} passed, ${failed} failed, ${left} skipped`)
}

/** Formats a run of the release tests as a line of the table in `docs/releases.md`. */
export function releaseLine(results: readonly Totals[], milliseconds: number): string {
  const { passed, failed, skipped } = countsOf(results)
  const processors = `${cpus().length} × ${cpus()[0]?.model}`
  const hours = (milliseconds / 3_600_000).toFixed(1)
  const day = new Date().toISOString().slice(0, 10)
  return `| ${[serviceVersion(), day, processors, hours, passed, failed, skipped].join(' | ')} |`
}

function countsOf(results: readonly Totals[]): Pick<Totals, 'passed' | 'failed' | 'skipped'> {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') }
}
