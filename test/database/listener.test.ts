import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '../../src/database/database.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'

describe('a process hears of what others change', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
  })
  after(() => database.close())

  const change = () => database.rows('update roles set name = name')

  async function untilHeard(heard: () => number): Promise<void> {
    const before = heard()
    while (heard() === before) {
      await change()
      await wait(5)
    }
  }

  it('again after its connections were lost, on one connection that listens', async () => {
    const other = await openDatabase({ url: database.url })
    let heard = 0
    other.changes.listen('roles', () => {
      heard += 1
    })
    await untilHeard(() => heard)
    const [[own] = []] = await database.rows('select pg_backend_pid()')
    for (let round = 0; round < 3; round += 1) {
      await database.rows(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> $1',
        [own],
      )
      await untilHeard(() => heard)
    }
    const [row] = await database.rows(
      "select count(*) from pg_stat_activity where datname = current_database() and query like '%listen%' and pid <> $1",
      [own],
    )
    // One of each process: the pool of the other has not been asked for a connection.
    assert.ok(Number(row?.[0]) <= 2, row?.[0] ?? '')
    await other.close()
  })
})

describe('a database that takes no connections', () => {
  it('is tried by one connection at a time, and used again when it takes them', async () => {
    const real = await testDatabase()
    const { hostname, pathname } = new URL(real.url)
    const sockets = new Set<Socket>()
    let [isAway, attempts, most] = [false, 0, 0]
    const proxy = createServer((client) => {
      sockets.add(client)
      client.on('error', () => {}).on('close', () => sockets.delete(client))
      if (isAway) {
        attempts += 1
        most = Math.max(most, sockets.size)
        setTimeout(() => client.destroy(), 20)
        return
      }
      const server = connect(join(decodeURIComponent(hostname), '.s.PGSQL.5432'))
      server.on('error', () => client.destroy()).on('close', () => client.destroy())
      client.on('close', () => server.destroy())
      client.pipe(server).pipe(client)
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo

    const database = await openDatabase({ url: `postgres://postgres@127.0.0.1:${port}${pathname}` })
    isAway = true
    for (const socket of sockets) socket.destroy()
    while (attempts < 4) await wait(10)
    assert.equal(most, 1)
    isAway = false
    let heard = 0
    database.changes.listen('roles', () => {
      heard += 1
    })
    while (heard === 0) {
      await real.rows('update roles set name = name')
      await wait(5)
    }
    await database.close()
    proxy.close()
    await real.close()
  })
})
