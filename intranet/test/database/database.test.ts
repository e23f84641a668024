import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { testDatabase } from '@campus/test/support/database'

describe('a statement that fails', () => {
  let database: Database

  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('leaves those that have been prepared before it usable', async () => {
    const answer = () => database.rows('select $1::integer + 1', [41])
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await answer(), [['42']])
    await assert.rejects(database.rows('select 1 / $1::integer', [0]), { code: '22012' })
    for (let time = 0; time < 3; time += 1) assert.deepEqual(await answer(), [['42']])
  })
})
