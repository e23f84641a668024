import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '../support/client.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { createPostgresql } from '../support/postgresql-server.ts'
import { type Campus, emptyCampus, type ServerProcess } from './server-process.ts'
import { type Acknowledged, openPlace, Writer } from './writers.ts'

const TRIES = 200

describe('a PostgreSQL server that is killed and comes back', () => {
  const journal: Acknowledged[] = []
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  let postgresql: Awaited<ReturnType<typeof createPostgresql>>
  let campus: Campus
  let server: ServerProcess
  let client: Client
  before(async () => {
    folder = await temporaryFolder()
    postgresql = await createPostgresql({ folder: folder.path, port: await freePort() })
    await postgresql.start()
    campus = await emptyCampus({ DATABASE_URL: postgresql.url })
    server = await campus.start()
    client = await campus.caller()
  })
  after(async () => {
    await campus?.remove()
    await postgresql?.stop()
    await folder.remove()
  })

  it('is answered for with 503 while it is away, by a server that goes on', async () => {
    const writer = new Writer(await openPlace(client), journal)
    const work = writer.work(client).catch((error: Error) => error)
    while (journal.length < 20) await wait(10)
    await killPostmaster()
    const stopped = await work
    assert.equal(server.child.exitCode, null)
    assert.match(String(stopped), /was answered 503/)

    const away = await client.get('/v2/users')
    assert.equal(away.status, 503, away.text)
    assert.match(away.json.message, /database/i)
    assert.equal((await client.get('/health')).status, 503)
    assert.equal(server.child.exitCode, null)
  })

  it('serves again when it is back, with nothing lost', async () => {
    await startAgain()
    const answered = await untilAnswered(() => client.get('/v2/users?per_page=100&sort=id'))
    assert.equal(answered.status, 200, answered.text)
    const lost = []
    for (const { table, id, unique } of journal.slice(-60)) {
      const record = (await client.get(`/v2/${table}/${id}`)).json
      if (![record.login, record.name, record.host].includes(unique)) lost.push(unique)
    }
    assert.deepEqual(lost, [])
    const language = await client.post('/v2/languages', { language: { name: 'Breton', identifier: 'br' } })
    assert.equal(language.status, 201, language.text)
  })

  async function killPostmaster(): Promise<void> {
    const [pid] = (await readFile(`${folder.path}/postgresql/postmaster.pid`, 'utf8')).split('\n')
    process.kill(Number(pid), 'SIGKILL')
  }

  /** Its processes may take a moment to notice that their parent is gone. */
  async function startAgain(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await postgresql.start()
        return
      } catch (error) {
        if (attempt === 20) throw error
        await wait(250)
      }
    }
  }

  async function untilAnswered(ask: () => ReturnType<Client['get']>) {
    let answer = await ask()
    for (let attempt = 0; attempt < TRIES && answer.status === 503; attempt += 1) {
      await wait(50)
      answer = await ask()
    }
    return answer
  }
})
