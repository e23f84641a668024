import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { OPERATING_FILE, pageWithSettings } from '../support/settings-table.ts'

test('the table of settings is as they are declared', async () => {
  assert.equal(await readFile(OPERATING_FILE, 'utf8'), await pageWithSettings(), 'Run "npm run settings".')
})
