import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '@campus/test/support/database'
import {
  createSealing,
  makeSealingKey,
  openSecrets,
  sealingTo,
  sealingWith,
  sealSecrets,
} from '../../webhooks/sealing.ts'
import { removeSealingKey, senderSealing, sendHeartbeat } from '../../webhooks/sealing-keys.ts'

const PARTS = { password: 'correct horse', meta: { group: 'é' } }

describe('what is sealed', () => {
  const [ours, othersOwn] = [createSealing(), createSealing()]
  const shared = () => createSealing(Buffer.alloc(32, 7))
  const key = makeSealingKey()

  it('is opened by whoever has the key, for the same user', () => {
    for (const [sealing, opening] of [
      [ours, ours],
      [shared(), shared()],
      [sealingWith(key), sealingWith(key)],
      [sealingTo(String(sealingWith(key).publicKey)), sealingWith(key)],
      [sealingTo(String(ours.publicKey)), ours],
    ] as const) {
      const { by, text } = sealSecrets(sealing, 1, PARTS)
      assert.equal(by, opening.id)
      assert.deepEqual(openSecrets(opening, 1, text), PARTS)
      assert.equal(openSecrets(opening, 2, text), undefined)
    }
  })

  it('is opened by nobody else, nor when it was altered', () => {
    const { text } = sealSecrets(ours, 1, PARTS)
    for (const sealing of [othersOwn, shared(), sealingTo(String(ours.publicKey))]) {
      assert.equal(openSecrets(sealing, 1, text), undefined)
    }
    for (const altered of ['', 'x', `x${text}`, text.replace('.', ''), text.slice(0, -2), text.split('.')[1] ?? '']) {
      assert.equal(openSecrets(ours, 1, altered), undefined)
    }
    assert.ok(!text.includes('horse'))
    assert.notEqual(sealSecrets(ours, 1, PARTS).text, text)
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
    await sendHeartbeat(database, server)
    const command = await senderSealing(database, undefined)
    const { by, text } = sealSecrets(command, 1, PARTS)
    assert.equal(by, server.id)
    assert.deepEqual(openSecrets(server, 1, text), PARTS)
    assert.equal(openSecrets(command, 1, text), undefined)
    await removeSealingKey(database, server)
  })

  it('for nobody where no server has sent a heartbeat for half a minute', async () => {
    const server = createSealing()
    await sendHeartbeat(database, server)
    await database.rows("update sealing_keys set seen_at = now() - interval '31 seconds'")
    const { by, text } = sealSecrets(await senderSealing(database, undefined), 1, PARTS)
    assert.notEqual(by, server.id)
    assert.equal(openSecrets(server, 1, text), undefined)
  })
})
