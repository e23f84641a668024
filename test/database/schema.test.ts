import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SCHEMA_FILE, tableTypes } from '../support/table-types.ts'

test('the types of the tables are those of a migrated database', async () => {
  assert.equal(await readFile(SCHEMA_FILE, 'utf8'), await tableTypes(), 'Run "npm run tables".')
})
