import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

const MODULE = new URL('../../base/release-memory.ts', import.meta.url)

/** Says how much of the heap is held when it has had much to do, and when it has had nothing to do for a while. */
const PROGRAM = `
  const { releaseMemoryWhileIdle } = await import('${MODULE}')
  const held = () => process.memoryUsage().heapTotal
  const recent = []
  for (let at = 0; at < 3e6; at += 1) recent[at % 50_000] = { text: 'record ' + at }
  const before = held()
  releaseMemoryWhileIdle(100)
  const end = performance.now() + 60_000
  while (held() > before / 2 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
  const after = held()
  console.log(JSON.stringify({ before, after, last: recent.at(-1).text, isExposed: typeof globalThis.gc !== 'undefined' }))
`

test('a process that has little to do gives back what it does not need', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', PROGRAM])
  const { before, after, ...rest } = JSON.parse(stdout)
  assert.ok(after <= before / 2, `${before} bytes were held, and ${after} afterwards`)
  assert.deepEqual(rest, { last: 'record 2999999', isExposed: false })
})
