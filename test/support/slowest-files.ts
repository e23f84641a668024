import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'

const SHOWN = 15

/** A reporter that says at the end which test files took longest, so that nobody has to guess where the time goes. */
export default async function* slowestFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files: { readonly file: string; readonly seconds: number }[] = []
  for await (const { type, data } of source) {
    if (type !== 'test:summary' || !data.file) continue
    files.push({ file: relative(process.cwd(), data.file), seconds: data.duration_ms / 1000 })
  }
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, SHOWN)
  yield `\nThe slowest of ${files.length} test files, in seconds:\n`
  for (const { file, seconds } of slowest) yield `${seconds.toFixed(1).padStart(7)}  ${file}\n`
}
