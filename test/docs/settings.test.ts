import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SETTINGS_FILE, settingsPage } from '../../build/settings-page.ts'

test('the page of settings is as they are declared', async () => {
  assert.equal(await readFile(SETTINGS_FILE, 'utf8'), settingsPage(), 'Run "npm run generate -- settings".')
})
