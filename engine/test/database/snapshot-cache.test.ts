import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Changes } from '../../database/changes.ts'
import { SnapshotCache } from '../../database/snapshot-cache.ts'

describe('values that are kept for a moment', () => {
  let snapshot: string | undefined
  let changes: Changes
  let values: SnapshotCache<string>
  beforeEach(async () => {
    snapshot = '5:5:'
    changes = new Changes(async () => {
      if (snapshot === undefined) throw new Error('away')
      return { tables: [], position: { snapshot, epoch: 'first', logEnd: 0 }, isGranted: false }
    })
    values = new SnapshotCache(changes, 2)
    await changes.validate()
  })
  const moveTo = async (next: string | undefined) => {
    snapshot = next
    await changes.validate()
  }

  it('stay while nothing is committed, and go with anything that is', async () => {
    values.set('a', 'one', changes.state)
    await moveTo('5:5:')
    assert.equal(values.get('a'), 'one')
    await moveTo('5:6:')
    assert.equal(values.get('a'), undefined)
    await moveTo('5:5:')
    assert.equal(values.get('a'), undefined)
  })

  it('are not kept where something was committed while they were read, nor where nobody knows', async () => {
    const { state } = changes
    await moveTo('5:6:')
    values.set('a', 'one', state)
    assert.equal(values.get('a'), undefined)
    await moveTo(undefined)
    values.set('a', 'one', changes.state)
    assert.equal(values.get('a'), undefined)
  })

  it('are no more than their limit, and the first ones stay', async () => {
    for (const key of ['a', 'b', 'c']) values.set(key, key, changes.state)
    assert.deepEqual(
      ['a', 'b', 'c'].map((key) => values.get(key)),
      ['a', 'b', undefined],
    )
    await moveTo('5:6:')
    values.set('c', 'c', changes.state)
    assert.equal(values.get('c'), 'c')
  })
})
