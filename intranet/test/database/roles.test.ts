import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '@campus/test/support/database'
import { ROLES } from '../../access/roles.ts'

test('a new database has every role that a rule may name', async () => {
  const database = await testDatabase()
  const rows = await database.rows('select name from roles')
  await database.close()
  const stored = new Set(rows.map(([name]) => name))
  assert.deepEqual(
    ROLES.filter((name) => !stored.has(name)),
    [],
  )
})
