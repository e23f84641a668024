import assert from 'node:assert/strict'
import type { LookupAddress } from 'node:dns'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { temporaryFolder } from '@campus/test/support/folder'
import { type Receiver, receiver } from '@campus/test/support/receiver'
import { until } from '@campus/test/support/until'
import { readAllowList } from '../../webhooks/connect-guard.ts'
import { type Lookup, nameLookup } from '../../webhooks/lookup-name.ts'
import { reasonForOwner } from '../../webhooks/stored-reasons.ts'
import { createTransport, type PostResult } from '../../webhooks/transport.ts'
import { type NameServer, nameServer } from './name-server.ts'

const HANGING = 64
const never = new AbortController().signal

let service: Receiver
let server: NameServer | undefined
before(async () => {
  service = await receiver()
})
afterEach(async () => {
  await server?.close()
  server = undefined
})
after(() => service.close())

async function serve(...[answer]: Parameters<typeof nameServer>): Promise<NameServer> {
  server = await nameServer(answer)
  return server
}

const lookUp = (lookup: Lookup, name: string) =>
  new Promise<LookupAddress[]>((resolve, reject) => {
    lookup(name, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
  })

function transportWith(resolve: Lookup) {
  const allowed = readAllowList(['127.0.0.1'])
  const deadlines = { connectMs: 2_000, wholeMs: 4_000 }
  const transport = createTransport({ allowed, tls: { ca: [service.ca] }, connections: HANGING, resolve, deadlines })
  const post = (id: number, host: string): Promise<PostResult> =>
    transport.post(id, { url: new URL(`https://${host}:${service.port}/`), headers: {}, body: '{}' }, never)
  return { post, close: () => transport.close() }
}

describe('the lookup of a receiver', () => {
  it('occupies no thread while name servers do not answer, and delays no other receiver', async () => {
    const { queries, address } = await serve(() => undefined)
    const { post, close } = transportWith(nameLookup({ servers: [address] }))
    const hanging = Array.from({ length: HANGING }, (_, at) => post(at, `r${at}.example`))
    await until(() => new Set(queries).size === HANGING)
    assert.ok(!process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap'))
    assert.equal((await post(HANGING, 'localhost')).kind, 'answered')
    for (const result of await Promise.all(hanging))
      assert.deepEqual(result, { kind: 'failed', error: 'not_connected' })
    await close()
  })

  it('returns the IPv4 addresses before the IPv6 addresses', async () => {
    const { address } = await serve(() => ['::1', '127.0.0.1', '127.0.0.2'])
    assert.deepEqual(await lookUp(nameLookup({ servers: [address] }), 'store.example'), [
      { address: '127.0.0.1', family: 4 },
      { address: '127.0.0.2', family: 4 },
      { address: '::1', family: 6 },
    ])
  })

  it('returns the addresses of one family if the name has no others', async () => {
    const { address } = await serve(() => ['::1'])
    assert.deepEqual(await lookUp(nameLookup({ servers: [address] }), 'store.example'), [{ address: '::1', family: 6 }])
  })

  it('fails if the name does not exist, and reveals nothing about the network to owners', async () => {
    const { address } = await serve(() => [])
    const { post, close } = transportWith(nameLookup({ servers: [address] }))
    const result = await post(1, 'store.example')
    assert.ok(result.kind === 'failed')
    assert.match(result.error, /ENOTFOUND store\.example/)
    assert.equal(reasonForOwner(result.error), 'the address does not lead to a public host')
    await close()
  })

  it('times out if name servers do not answer', async () => {
    const { address } = await serve(() => undefined)
    await assert.rejects(lookUp(nameLookup({ servers: [address], milliseconds: 50 }), 'store.example'), {
      code: 'ECANCELLED',
    })
  })

  it('asks the system for allowed hosts, for names of the hosts file and for names without a dot', async () => {
    const { queries, address } = await serve(() => undefined)
    const folder = await temporaryFolder()
    const hostsFile = join(folder.path, 'hosts')
    // An IP address stands in for a name, since the system resolves it without a query.
    await writeFile(hostsFile, '# 127.0.0.9 commented.example\n127.0.0.8\tOther.example 127.0.0.1 # comment\n')
    const lookup = nameLookup({ servers: [address], hostsFile, milliseconds: 50 })
    assert.deepEqual(await lookUp(lookup, '127.0.0.1'), [{ address: '127.0.0.1', family: 4 }])
    assert.ok((await lookUp(lookup, 'localhost')).length > 0)
    const allowing = nameLookup({ servers: [address], allowed: new Set(['127.0.0.2']) })
    assert.deepEqual(await lookUp(allowing, '127.0.0.2'), [{ address: '127.0.0.2', family: 4 }])
    assert.deepEqual(queries, [])
    for (const name of ['commented.example', '127.0.0.8']) await assert.rejects(lookUp(lookup, name))
    await folder.remove()
  })
})
