import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSealing, openParts, sealingTo, sealParts } from '../../src/webhooks/sealing.ts'
import { sayAlive, sayGone, senderSealing } from '../../src/webhooks/sealing-keys.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

const PARTS = { password: 'correct horse', meta: { group: 'é' } }

describe('what is sealed', () => {
  const [ours, theirs] = [createSealing(), createSealing()]
  const shared = () => createSealing(Buffer.alloc(32, 7))

  it('is opened by whoever has the key, for the same user', () => {
    for (const [sealing, opening] of [
      [ours, ours],
      [shared(), shared()],
      [sealingTo(String(ours.publicKey)), ours],
    ] as const) {
      const { by, text } = sealParts(sealing, 1, PARTS)
      assert.equal(by, opening.id)
      assert.deepEqual(openParts(opening, 1, text), PARTS)
      assert.equal(openParts(opening, 2, text), undefined)
    }
  })

  it('is opened by nobody else, nor when it was altered', () => {
    const { text } = sealParts(ours, 1, PARTS)
    for (const sealing of [theirs, shared(), sealingTo(String(ours.publicKey))]) {
      assert.equal(openParts(sealing, 1, text), undefined)
    }
    for (const altered of ['', 'x', `x${text}`, text.replace('.', ''), text.slice(0, -2), text.split('.')[1] ?? '']) {
      assert.equal(openParts(ours, 1, altered), undefined)
    }
    assert.ok(!text.includes('horse'))
    assert.notEqual(sealParts(ours, 1, PARTS).text, text)
  })
})

describe('a process that makes no calls itself, such as a command, seals', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  it('with the key of the operator where there is one', async () => {
    const key = Buffer.alloc(32, 9)
    assert.equal((await senderSealing(database, key)).id, createSealing(key).id)
  })

  it('for a running server, whose key it can seal with but not open', async () => {
    const server = createSealing()
    await sayAlive(database, server)
    const command = await senderSealing(database, undefined)
    const { by, text } = sealParts(command, 1, PARTS)
    assert.equal(by, server.id)
    assert.deepEqual(openParts(server, 1, text), PARTS)
    assert.equal(openParts(command, 1, text), undefined)
    await sayGone(database, server)
  })

  it('for nobody where no server has said that it lives for half a minute', async () => {
    const server = createSealing()
    await sayAlive(database, server)
    await database.rows("update sealing_keys set seen_at = now() - interval '31 seconds'")
    const { by, text } = sealParts(await senderSealing(database, undefined), 1, PARTS)
    assert.notEqual(by, server.id)
    assert.equal(openParts(server, 1, text), undefined)
  })
})
