import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Database } from '@campus/engine/database/database'
import { assertBalancesMatchEntries } from '@campus/test/support/balances'
import { seededDatabase } from '@campus/test/support/database'

const NOW = new Date('2026-03-02T10:00:00Z')

describe('what people of the demonstration school hold', () => {
  let database: Database
  before(async () => {
    database = await seededDatabase({ users: 60, locations: 120, now: NOW })
  })
  after(() => database.close())

  const count = async (condition: string) =>
    Number((await database.rows(`select count(*) from correction_point_historics where ${condition}`))[0]?.[0])

  it('is the sum of the entries of their ledgers', () => assertBalancesMatchEntries(database))

  it('was paid for evaluations and earned by them, and never below nothing', async () => {
    for (const reason of ['Creation', 'Defense plannification', 'Earning after defense']) {
      assert.ok((await count(`reason = '${reason}'`)) > 0, reason)
    }
    assert.equal(await count('total < 0'), 0)
    assert.equal(await count(`created_at > '${NOW.toISOString()}'`), 0)
  })

  it('came into wallets by what they won, and went for what they ordered', async () => {
    const rows = await database.rows('select transactable_type, min(value), max(value) from transactions group by 1')
    const signs = new Map(rows.map(([type, least, most]) => [type, [Number(least) > 0, Number(most) < 0]]))
    assert.deepEqual(
      [signs.get('Achievement'), signs.get('Command')],
      [
        [true, false],
        [false, true],
      ],
    )
    const strays = 'select 1 from commands c left join transactions t on t.transactable_id = c.id where t.id is null'
    assert.deepEqual(await database.rows(strays), [])
  })

  it('is lent by pools of which a sale is running', async () => {
    const running = 'select 1 from pools join balances b on b.pool_id = pools.id where b.end_at is null'
    assert.ok((await database.rows(running)).length > 0)
  })
})
