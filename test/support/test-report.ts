import type { Totals } from './totals.ts'

const SHOWN = 25

/** Prints what came of a run: the dearest files, what tests printed, what was skipped and what failed, and the sums. */
export function report(results: readonly Totals[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
  const dearest = results.toSorted((one, other) => other.processorSeconds - one.processorSeconds).slice(0, SHOWN)
  const lines = dearest.map(
    ({ file, processorSeconds, seconds }) => `${column(processorSeconds)}${column(seconds)}  ${file}`,
  )
  const processorTime = results.reduce((total, { processorSeconds }) => total + processorSeconds, 0)
  const skipped = [...new Set(results.flatMap(({ reasons }) => reasons))]
  console.log(
    `\nThe dearest of ${results.length} test files, in seconds of processors (${Math.round(processorTime)} of all files) and by the clock:\n${lines.join('\n')}\n`,
  )
  for (const { file, diagnostics } of results) {
    if (diagnostics.length > 0) console.log(`${file}\n${diagnostics.map((line) => `  ${line}`).join('\n')}\n`)
  }
  if (skipped.length > 0) console.log(`${skipped.join('\n')}\n`)
  for (const { file, failures } of results) {
    for (const { name, why } of failures) console.log(`✖ ${file}: ${name}\n${why}\n`)
  }
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}

const column = (seconds: number) => seconds.toFixed(1).padStart(7)
