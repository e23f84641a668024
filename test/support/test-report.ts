import type { Totals } from './totals.ts'

const SHOWN = 15

/** Prints what came of a run: the slowest files, what tests told, what was skipped and what failed, and the sums. */
export function report(results: readonly Totals[]): void {
  const sum = (key: 'passed' | 'failed' | 'skipped') => results.reduce((total, result) => total + result[key], 0)
  const slowest = results.toSorted((one, other) => other.seconds - one.seconds).slice(0, SHOWN)
  const lines = slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)}  ${file}`)
  const skipped = [...new Set(results.flatMap(({ reasons }) => reasons))]
  console.log(`\nThe slowest of ${results.length} test files, in seconds:\n${lines.join('\n')}\n`)
  for (const { file, diagnostics } of results) {
    if (diagnostics.length > 0) console.log(`${file}\n${diagnostics.map((line) => `  ${line}`).join('\n')}\n`)
  }
  if (skipped.length > 0) console.log(`${skipped.join('\n')}\n`)
  for (const { file, failures } of results) {
    for (const { name, why } of failures) console.log(`✖ ${file}: ${name}\n${why}\n`)
  }
  console.log(`${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`)
}
