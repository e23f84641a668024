import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { sourceFiles } from './support/sources.ts'

/** `build/no-casts.grit` refuses each that is not suppressed with its reason. */
const MAX_CASTS = 10

test('the sources hold few casts', async () => {
  let casts = 0
  for (const path of sourceFiles()) casts += (await readFile(path, 'utf8')).split('biome-ignore lint/plugin').length - 1
  assert.ok(casts <= MAX_CASTS, `${casts} casts: narrow the value instead, or let its type follow from a declaration`)
})
