import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

/** `build/no-casts.grit` refuses each that is not suppressed with its reason. */
const MAX_CASTS = 10

test('the sources hold few casts', async () => {
  let casts = 0
  for await (const path of glob('src/**/*.ts'))
    casts += (await readFile(path, 'utf8')).split('biome-ignore lint/plugin').length - 1
  assert.ok(casts <= MAX_CASTS, `${casts} casts: narrow the value instead, or let its type follow from a declaration`)
})
