import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import type { Client } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Campus, emptyCampus, type ServerProcess } from './server-process.ts'
import { type Acknowledged, openPlace, Writer } from './writers.ts'

describe('an embedded database that is killed', () => {
  let campus: Campus
  let server: ServerProcess
  before(async () => {
    campus = await emptyCampus({ database: 'embedded' })
    server = await campus.start()
  })
  after(() => campus?.remove())

  it('is started again by its service, which answers 503 meanwhile and has lost nothing', async () => {
    const client = await campus.caller()
    const journal: Acknowledged[] = []
    const writer = new Writer(await openPlace(client), journal)
    const stop = new AbortController()
    const work = writer.work(client, stop.signal)
    for (let kills = 1; kills <= 3; kills += 1) {
      const before = journal.length
      while (journal.length < before + 10) await wait(10)
      await campus.killDatabase()
      while (writer.refused === 0) await wait(1)
      writer.refused = 0
    }
    const before = journal.length
    while (journal.length < before + 10) await wait(10)
    stop.abort()
    await work
    await assertStored(client, journal)
    assert.equal((await client.get('/health')).status, 200)
    assert.equal(server.child.exitCode, null)
  })
})

describe('a PostgreSQL server of the school that goes away and comes back', () => {
  const journal: Acknowledged[] = []
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let postgresql: EmbeddedServer
  let campus: Campus
  let server: ServerProcess
  let client: Client
  before(async () => {
    folder = await temporaryFolder()
    await start()
    campus = await emptyCampus({ database: 'shared', env: { DATABASE_URL: postgresql.url } })
    server = await campus.start()
    client = await campus.caller()
  })
  after(async () => {
    await campus?.remove()
    await postgresql?.close()
    await folder.remove()
  })

  async function start(): Promise<void> {
    postgresql = await EmbeddedServer.open({ data: join(folder.path, 'school'), connections: 40 })
  }

  it('is answered for with 503 while it is away, by a service that goes on', async () => {
    const writer = new Writer(await openPlace(client), journal)
    const stop = new AbortController()
    const work = writer.work(client, stop.signal)
    while (journal.length < 20) await wait(10)
    await postgresql.close()
    while (writer.refused === 0) await wait(10)
    const away = await client.get('/v2/users')
    assert.equal(away.status, 503, away.text)
    assert.match(away.json.message, /database/i)
    assert.equal((await client.get('/health')).status, 503)
    assert.equal(server.child.exitCode, null)
    stop.abort()
    await start()
    await work
  })

  it('is used again when it is back, with nothing lost', async () => {
    await assertStored(client, journal)
    const language = await client.post('/v2/languages', { language: { name: 'Breton', identifier: 'br' } })
    assert.equal(language.status, 201, language.text)
  })
})

async function assertStored(client: Client, journal: readonly Acknowledged[]): Promise<void> {
  const lost = []
  for (const { table, id, unique } of journal.slice(-60)) {
    const record = (await client.get(`/v2/${table}/${id}`)).json
    if (![record.login, record.name, record.host].includes(unique)) lost.push(unique)
  }
  assert.deepEqual(lost, [])
}
