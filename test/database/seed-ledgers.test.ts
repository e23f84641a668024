import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '../../src/database/database.ts'
import { seededDatabase } from '../support/database.ts'
import { assertLedgersHold } from '../support/ledgers.ts'

const NOW = new Date('2026-03-02T10:00:00Z')

describe('what people of the demonstration school hold', () => {
  let database: Database
  before(async () => {
    database = await seededDatabase({ users: 60, locations: 120, now: NOW })
  })
  after(() => database.close())

  const count = async (condition: string) =>
    Number((await database.rows(`select count(*) from correction_point_historics where ${condition}`))[0]?.[0])

  it('is the sum of the entries of their ledgers', () => assertLedgersHold(database))

  it('was paid for evaluations and earned by them, and never below nothing', async () => {
    for (const reason of ['Creation', 'Defense plannification', 'Earning after defense']) {
      assert.ok((await count(`reason = '${reason}'`)) > 0, reason)
    }
    assert.equal(await count('total < 0'), 0)
    assert.equal(await count(`created_at > '${NOW.toISOString()}'`), 0)
  })
})
