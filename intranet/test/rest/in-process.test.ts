import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { HttpError } from '@campus/engine/errors'
import type { Caller } from '@campus/engine/http/caller'
import { RateLimits } from '@campus/engine/http/rate-limit'
import { MemoryRates } from '@campus/engine/http/rates/memory-rates'
import { createEngine } from '@campus/engine/rest/engine'
import { ListStreams } from '@campus/engine/rest/export/list-streams'
import { type AskInProcess, addressOfCall, apiInProcess, type Call } from '@campus/engine/rest/in-process'
import { type Route, routeTable } from '@campus/engine/rest/route-table'
import { campus, type World } from '@campus/test/support/campus'
import type { Client } from '@campus/test/support/client'
import { SCOPES } from '../../access/scopes.ts'
import { COMMON_ACCESS } from '../../school/resources/access.ts'
import { storageOfResources } from '../../school/resources/declared.ts'
import { resources } from '../../school/resources/index.ts'
import { Sealer } from '../../services/sealing/sealer.ts'

const NO_FILES = {
  limits: { maxBytes: {}, maxBodyBytes: 0 },
  store: () => Promise.reject(new Error('nothing is written here')),
  removeStaged: () => Promise.resolve(),
}

describe('The API, asked from within the process', () => {
  let world: World
  let table: readonly Route[]
  let ask: AskInProcess
  let client: Client
  let caller: Caller
  before(async () => {
    world = await campus({ seeded: true })
    const sealer = new Sealer(Buffer.alloc(32))
    const { baseUrl, timeZone } = world.config
    const engine = await createEngine({
      database: world.database,
      clock: world.clock,
      wire: {
        baseUrl,
        picturesUrl: baseUrl,
        timeZone,
        now: () => world.clock.now(),
        signed: (path) => `${baseUrl}${path}`,
        signedUntil: () => Infinity,
      },
      startHash: () => sealer.keyedHash('test'),
      files: NO_FILES,
      resources: resources(sealer),
      access: COMMON_ACCESS,
      storage: storageOfResources(),
    })
    table = routeTable(engine.registry)
    const limits = new RateLimits(new MemoryRates())
    ask = apiInProcess(table, { engine, answers: undefined, lists: new ListStreams(engine, limits), limits }).ask
    const scopes = Object.keys(SCOPES)
    client = await world.caller({ user: 1, scopes })
    const application = { id: 0, uid: '', name: '', roles: [], ratePerSecond: 0, ratePerHour: 0 }
    caller = { application, scopes, resourceOwnerId: 1 }
  })
  after(() => world.close())

  /** Addresses of files are signed for a time. */
  const unsigned = (text: string) => text.replace(/\/files\/[^"]*/g, '/files/')

  it('answers every read of a person, and refuses it, as over the wire', async () => {
    let [answered, refused] = [0, 0]
    for (const { method, path, action } of table) {
      if (method !== 'GET' || action === 'graph') continue
      const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name]) => [String(name), 1]))
      const call: Call = { method, path, params, ...(action === 'index' ? { query: { per_page: 2 } } : {}) }
      const wire = await client.get(addressOfCall(call))
      try {
        const { status, bytes, headers } = await ask(caller, call)
        assert.equal(unsigned(String(bytes)), unsigned(wire.text), path)
        assert.equal(status, wire.status)
        assert.equal(headers['x-total'] ?? null, wire.headers.get('x-total'))
        answered += 1
      } catch (error) {
        if (!(error instanceof HttpError)) throw error
        assert.deepEqual([error.status, error.message], [wire.status, wire.json.message], path)
        refused += 1
      }
    }
    assert.ok(answered > 150 && refused > 20, `${answered} answered, ${refused} refused`)
  })

  it('joins several values of the query, and leaves out undefined ones', async () => {
    const query = { 'filter[id]': [1, 2], 'filter[active?]': true, page: undefined, sort: 'login' }
    const path = '/v2/users'
    const address = addressOfCall({ method: 'GET', path, query })
    assert.equal(address, `${path}?filter[id]=1%2C2&filter[active?]=true&sort=login`)
    const { bytes } = await ask(caller, { method: 'GET', path, query: { 'filter[id]': [1, 2], sort: 'id' } })
    assert.deepEqual(
      JSON.parse(String(bytes)).map(({ id }: { id: number }) => id),
      [1, 2],
    )
  })

  it('knows only what is in the table of routes', async () => {
    await assert.rejects(ask(caller, { method: 'GET', path: '/v2/users/1' }), /the API has no GET \/v2\/users\/1/)
  })
})
