import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { Agent } from 'undici'
import { trustOf, UNIX_PEER } from '../../http/proxy-trust.ts'
import { createServer } from '../../http/server.ts'
import { Staging } from '../../http/staging.ts'
import { loadTls, type Tls } from '../../http/tls.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let tls: Tls
before(async () => {
  folder = await temporaryFolder()
  tls = await loadTls({ data: folder.path, tls: undefined })
})
after(() => folder.remove())

/** Returns the client address that a server with these trusted proxies sees. */
async function addressSeen(trustedProxies: readonly string[], forwarded: string): Promise<string> {
  const app = await createServer({ tls, logLevel: 'silent', staging: new Staging('incoming'), trustedProxies })
  app.get('/', async ({ ip }) => ip)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new Agent({ connect: { rejectUnauthorized: false } })
  const { port } = app.server.address() as AddressInfo
  const { body } = await agent.request({
    origin: `https://127.0.0.1:${port}`,
    path: '/',
    method: 'GET',
    headers: { 'x-forwarded-for': forwarded },
  })
  const text = await body.text()
  await agent.destroy()
  await app.close()
  return text
}

test('nobody is believed whom they speak for unless the operator says so', async () => {
  assert.equal(await addressSeen([], '198.51.100.4'), '127.0.0.1')
  assert.equal(await addressSeen(['10.0.0.0/8'], '198.51.100.4'), '127.0.0.1')
})

test('a trusted proxy is believed, and only for the last address that is none of them', async () => {
  assert.equal(await addressSeen(['127.0.0.1'], '198.51.100.4'), '198.51.100.4')
  assert.equal(await addressSeen(['127.0.0.0/8', '10.0.0.0/8'], '203.0.113.9, 198.51.100.4, 10.1.2.3'), '198.51.100.4')
})

test('a network of IPv4 holds its addresses however they are written, and no other kind', () => {
  const trusts = trustOf(['10.0.0.0/8', '2001:db8::/32', '::ffff:192.0.2.1'])
  for (const address of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::1', '192.0.2.1'])
    assert.ok(trusts(address, 0), address)
  for (const address of ['11.0.0.1', '2001:db9::1', '::1', 'unknown', '']) assert.ok(!trusts(address, 0), address)
})

test('a connection that has ended is nobody, and not believed', () => {
  assert.equal(trustOf(['0.0.0.0/0', '::/0'])(undefined, 0), false)
})

test('the other end of our own Unix socket is believed, and nobody who is said to be one', () => {
  assert.equal(trustOf([])(UNIX_PEER, 0), true)
  assert.equal(trustOf(['0.0.0.0/0'])(UNIX_PEER, 1), false)
})
