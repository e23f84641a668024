import assert from 'node:assert/strict'
import { lookup } from 'node:dns/promises'
import { test } from 'node:test'
import Fastify from 'fastify'
import { listenersOf } from '../../src/http/listeners.ts'

test('every server that listens for an app is found, one for each address of its name', async (t) => {
  const app = Fastify()
  t.after(() => app.close())
  await app.listen({ host: 'localhost', port: 0 })
  const addresses = (await lookup('localhost', { all: true })).length
  const listening = listenersOf(app).filter((server) => server.listening)
  assert.equal(new Set(listening).size, addresses)
  assert.deepEqual(
    listening.map((server) => server.address()),
    app.addresses(),
  )
})
