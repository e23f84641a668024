import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

/** What came of the tests of one file. */
export type Totals = {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** How long its tests took, without what they share with other files. */
  readonly seconds: number
  /** Why tests were skipped. */
  readonly reasons: readonly string[]
}

/** A reporter that writes a line of JSON for each file. */
export default async function* totals(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Map<string, { -readonly [Key in keyof Totals]: Totals[Key] }>()
  for await (const { type, data } of source) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const file = relative(process.cwd(), data.file ?? '')
    const known = files.get(file) ?? { file, passed: 0, failed: 0, skipped: 0, seconds: 0, reasons: [] }
    files.set(file, known)
    if (data.nesting === 0) known.seconds += data.details.duration_ms / 1000
    if (data.details.type === 'suite' && type === 'test:pass') continue
    if (data.skip) {
      known.skipped += 1
      if (typeof data.skip === 'string') known.reasons = [...known.reasons, data.skip]
    } else if (type === 'test:pass') known.passed += 1
    else known.failed += 1
  }
  for (const one of files.values()) yield `${JSON.stringify(one)}\n`
}
