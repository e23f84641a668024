import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import {
  type DueWork,
  extendLeases,
  leaseDue,
  nextDueAt,
  releaseLeases,
  type Share,
} from '@campus/engine/database/due-work'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'

type Chore = { readonly chore: number }
const WORK: DueWork<Chore> = {
  table: 'chores',
  key: 'chore',
  queue: 'place',
  columns: { chore: 'w.chore' },
  countsLeases: true,
}
const LEASE_MILLISECONDS = 60_000
const ONE_QUEUE: DueWork<Chore> = { table: 'chores', key: 'chore', columns: { chore: 'w.chore' } }

describe('due work', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.rows(`create table chores (chore integer primary key, place integer not null, due_at timestamptz(3),
      lease text, leased_until timestamptz(3), tries integer not null default 0)`)
  })
  after(() => database.close())
  beforeEach(() => database.rows('truncate chores'))

  const at = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 10, 0, seconds))
  const chore = (id: number, place: number, due: number | null) =>
    database.rows('insert into chores (chore, place, due_at) values ($1, $2, $3)', [
      id,
      place,
      due === null ? null : at(due),
    ])
  const lease = async (holder: string, seconds: number, capacity = new Map([[1, 9]]), work = WORK) => {
    const claim = { now: at(seconds), lease: holder, leaseMilliseconds: LEASE_MILLISECONDS, capacity }
    return (await leaseDue(database, work, claim)).map((row) => row.chore).sort((a, b) => a - b)
  }
  /** Moves the ends of all leases this much closer. */
  const pass = (milliseconds: number) =>
    database.rows(`update chores set leased_until = leased_until - $1::float8 * interval '1 millisecond'`, [
      milliseconds,
    ])
  const held = async () => (await database.rows('select chore, lease, tries from chores order by chore')).map(String)

  it('is leased the longest due first, up to the capacity of each queue', async () => {
    for (const id of [1, 2, 3]) await chore(id, 1, 4 - id)
    for (const id of [4, 5]) await chore(id, 2, 0)
    await chore(6, 3, 0)
    await chore(7, 1, 60)
    await chore(8, 1, null)
    const capacity = new Map([
      [1, 2],
      [2, 5],
      [4, 5],
    ])
    assert.deepEqual(await lease('ann', 5, capacity), [2, 3, 4, 5])
    assert.deepEqual(await lease('bob', 5, new Map([[0, 1]]), ONE_QUEUE), [6])
  })

  it('is leased from the queues of an owner in turn, up to the share of the owner', async () => {
    for (let id = 1; id <= 9; id += 1) await chore(id, 1, 0)
    for (const id of [11, 12]) await chore(id, 2, 1)
    await chore(21, 3, 0)
    for (let id = 31; id <= 35; id += 1) await chore(id, 4, 0)
    const owners: Record<number, Share> = {
      1: { owner: 7, capacity: 4 },
      2: { owner: 7, capacity: 4 },
      3: { owner: 7, capacity: 4 },
      4: { owner: 8, capacity: 3 },
      5: { owner: 7, capacity: 4 },
    }
    const shares = new Map(Object.entries(owners).map(([queue, share]) => [Number(queue), share]))
    const capacity = new Map([...shares.keys()].map((queue) => [queue, 9]))
    const work: DueWork<Chore> = { ...WORK, isShared: true }
    const leaseShares = async () => {
      const claim = { now: at(5), lease: 'ann', leaseMilliseconds: LEASE_MILLISECONDS, capacity, shares }
      return (await leaseDue(database, work, claim)).map((row) => row.chore).sort((a, b) => a - b)
    }
    assert.deepEqual(await leaseShares(), [1, 2, 11, 21, 31, 32, 33])
    assert.deepEqual(await leaseShares(), [3, 4, 12, 34, 35])
    assert.deepEqual(await leaseShares(), [5, 6, 7, 8])
  })

  it('goes to one process, however many ask at the same time', async () => {
    for (let id = 1; id <= 40; id += 1) await chore(id, 1, 0)
    const leased = await Promise.all(
      Array.from({ length: 10 }, (_, index) => lease(`p${index}`, 1, new Map([[1, 10]]))),
    )
    const ids = leased.flat()
    assert.equal(new Set(ids).size, ids.length, 'a row was leased twice')
    const rest = await lease('last', 1, new Map([[1, 40]]))
    assert.equal(ids.length + rest.length, 40)
  })

  it('of a process that died is leased again when its lease has ended, and no sooner', async () => {
    await chore(1, 1, 0)
    await lease('dead', 0)
    await pass(LEASE_MILLISECONDS / 2)
    assert.deepEqual(await lease('heir', 0), [])
    await pass(LEASE_MILLISECONDS / 2)
    assert.deepEqual(await lease('heir', 0), [1])
    assert.deepEqual(await held(), ['1,heir,2'])
  })

  it('stays with its holder while a machine whose clock is ahead or behind looks for work', async () => {
    await chore(1, 1, -7200)
    assert.deepEqual(await lease('ann', 0), [1])
    for (const seconds of [11, 3_600, 86_400, -3_600]) assert.deepEqual(await lease('skewed', seconds), [])
    await pass(LEASE_MILLISECONDS)
    assert.deepEqual(await lease('skewed', -3_600), [1])
    assert.deepEqual(await lease('ann', 86_400), [])
  })

  it('stays its holder’s while heartbeats extend the lease', async () => {
    await chore(1, 1, 0)
    await lease('slow', 0)
    await pass(LEASE_MILLISECONDS / 2)
    await extendLeases(database, WORK, { lease: 'slow', keys: [1] }, LEASE_MILLISECONDS)
    await pass(LEASE_MILLISECONDS / 2)
    assert.deepEqual(await lease('heir', 0), [])
    await pass(LEASE_MILLISECONDS / 2)
    assert.deepEqual(await lease('heir', 0), [1])
  })

  it('is not touched by whoever held it before', async () => {
    await chore(1, 1, 0)
    await lease('slow', 0)
    await pass(LEASE_MILLISECONDS)
    await lease('heir', 0)
    await extendLeases(database, WORK, { lease: 'slow', keys: [1] }, 10 * LEASE_MILLISECONDS)
    await releaseLeases(database, WORK, { lease: 'slow', keys: [1] }, { dueAt: at(99), isUncounted: true })
    assert.deepEqual(await held(), ['1,heir,2'])
    await pass(LEASE_MILLISECONDS)
    assert.deepEqual(await lease('third', 0), [1])
  })

  it('that is released is due as before or when it is said, and the attempt counts or does not', async () => {
    for (const id of [1, 2, 3]) await chore(id, 1, 0)
    await lease('ann', 0)
    await releaseLeases(database, WORK, { lease: 'ann', keys: [1] })
    await releaseLeases(database, WORK, { lease: 'ann', keys: [2, 3] }, { dueAt: at(5), isUncounted: true })
    assert.deepEqual(await held(), ['1,,1', '2,,0', '3,,0'])
    assert.deepEqual(await lease('bob', 1), [1])
    assert.deepEqual(await lease('bob', 5), [2, 3])
  })

  it('says when the next is due: its time, or the end of its lease', async () => {
    assert.equal(await nextDueAt(database, WORK, [1]), undefined)
    await chore(1, 1, 7)
    await chore(2, 2, 3)
    assert.deepEqual(await nextDueAt(database, WORK, [1]), at(7))
    assert.deepEqual(await nextDueAt(database, WORK, [1, 2]), at(3))
    assert.deepEqual(await nextDueAt(database, ONE_QUEUE, [0]), at(3))
    await lease('ann', 7, new Map([[1, 1]]))
    await database.rows('update chores set leased_until = $1', [at(17).toISOString()])
    assert.deepEqual(await nextDueAt(database, WORK, [1]), at(17))
  })
})
