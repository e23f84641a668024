import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import pg from 'pg'
import { type Client, clientOf, trusting } from '../support/client.ts'
import { giveCluster } from '../support/clusters.ts'
import { temporaryFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { openRegisters, type Register } from './registers.ts'
import { openRights } from './rights.ts'
import { type Campus, emptyCampus } from './server-process.ts'

/** `npm run test:release` asks for the figures of the promise, 1,000,000 and 20,000. */
const READS = Number(process.env.CAMPUS_TEST_READS ?? 2_000)
const WRITES = Number(process.env.CAMPUS_TEST_WRITES ?? 200)
const FAULTS = Math.max(4, Math.floor(WRITES / 500))
const CLIENTS = 16

type Stored = { readonly register: Register; begun: number; acknowledged: number; isWritten: boolean; reads: number }
type Wrong = { readonly register: string; readonly atLeast: number; readonly version: number; readonly atMost: number }

/** One alone need not ask for each answer what changed (the writer lease). */
const SERVERS = process.env.CAMPUS_TEST_READS ? [2, 1] : [2]

for (const servers of SERVERS)
  describe(`${servers} ${servers === 1 ? 'process' : 'processes'} on one database, ${READS} reads beside ${WRITES} writes and ${FAULTS} faults of the database`, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>
    let server: EmbeddedServer
    let campus: Campus
    let hand: pg.Pool
    let database: Database | undefined
    let retained: readonly Stored[] = []
    let clients: Client[] = []
    let agent: ReturnType<typeof trusting>
    const counts = { reads: 0, writes: 0, refused: 0, faults: 0 }
    /** How often a process was seen to have the lease. */
    let leases = 0
    const isAlone = servers === 1
    const wrong: Wrong[] = []

    before(async () => {
      folder = await temporaryFolder()
      await giveCluster(folder.path, 'migrated')
      server = await EmbeddedServer.open({ data: folder.path, connections: 80 })
      campus = await emptyCampus({ database: 'shared', env: { DATABASE_URL: server.url } })
      const ports = await Promise.all(Array.from({ length: servers }, async () => String(await freePort())))
      for (const CAMPUS_PORT of ports) await campus.start({ CAMPUS_PORT })
      const { token } = await campus.caller(`https://localhost:${ports[0]}`)
      agent = trusting(await readFile(join(campus.env.CAMPUS_DATA as string, 'tls/cert.pem'), 'utf8'))
      clients = ports.map((port) => clientOf({ url: `https://localhost:${port}`, agent }, token))
      hand = new pg.Pool({ connectionString: server.url, max: CLIENTS, application_name: 'by hand' })
      // Lent out or not, connections are lost at any time.
      hand.on('error', () => {}).on('connect', (client) => client.on('error', () => {}))
      database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: server.url })
      const rights = await openRights(database, clients[0] as Client, isAlone ? asCommand(server.url) : database.rows)
      // It would be another process.
      if (isAlone) await database.close()
      const registers = [...(await openRegisters(clients[0] as Client, hand, 2)), ...rights]
      retained = registers.map((register) => ({ register, begun: 0, acknowledged: 0, isWritten: false, reads: 0 }))
      const faults = breakThings()
      await Promise.all(Array.from({ length: CLIENTS }, work))
      await faults
      // Under load no look may have come at a time with the lease; it is taken again soon after the last fault.
      while (isAlone && leases === 0) {
        await read(anyOf(retained))
        await look()
      }
    })
    after(async () => {
      await hand?.end()
      if (!isAlone) await database?.close()
      await campus?.remove()
      await agent?.destroy()
      await server?.close()
      await folder?.remove()
    })

    /** Reads and writes by turns, until there were enough of both. */
    async function work(): Promise<void> {
      while (counts.reads < READS || counts.writes < WRITES) {
        const one = anyOf(retained)
        if (isAlone && counts.reads % 50 === 0) await look()
        const isBehind = counts.writes * READS < counts.reads * WRITES || counts.reads >= READS
        const isDone = isBehind && !one.isWritten ? await write(one) : await read(one)
        if (!isDone) await wait(20)
      }
    }

    async function look(): Promise<void> {
      const { rows } = await hand.query('select writer from change_epoch').catch(() => ({ rows: [] }))
      if (rows[0]?.writer) leases += 1
    }

    /** A write without an acknowledgement may or may not be committed, but is not committed later. */
    async function write(one: Stored): Promise<boolean> {
      one.isWritten = true
      one.begun += 1
      const version = one.begun
      try {
        const isAcknowledged = await one.register.write(version, anyOf(clients))
        if (isAcknowledged) {
          one.acknowledged = one.register.kind === 'total' ? one.acknowledged + 1 : version
          counts.writes += 1
        }
        return isAcknowledged
      } catch {
        return false
      } finally {
        one.isWritten = false
      }
    }

    async function read(one: Stored): Promise<boolean> {
      const atLeast = one.acknowledged
      const shown = await one.register.read(anyOf(clients)).catch(() => undefined)
      if (shown === undefined) {
        counts.refused += 1
        return false
      }
      counts.reads += 1
      one.reads += 1
      const atMost = one.begun
      const version = one.register.kind === 'switch' ? atLeast + Math.abs((atLeast % 2) - shown) : shown
      // A write of which nothing was heard counts for none, but may be there.
      if (version < atLeast || version > atMost) wrong.push({ register: one.register.name, atLeast, version, atMost })
      return true
    }

    /** All connections, one of them without a goodbye, which has the server start anew, and the server itself, in turn. */
    async function breakThings(): Promise<void> {
      for (; counts.faults < FAULTS; counts.faults += 1) {
        const due = ((counts.faults + 1) * READS) / (FAULTS + 1)
        while (counts.reads < due) await wait(20)
        // Until the database is back from the last one.
        while (
          !(await breakOne(counts.faults % 3).then(
            () => true,
            () => false,
          ))
        )
          await wait(50)
      }
    }

    async function breakOne(kind: number): Promise<void> {
      const others = 'from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'
      if (kind === 0) await hand.query(`select pg_terminate_backend(pid) ${others}`)
      else if (kind === 1) {
        const { rows } = await hand.query(`select pid ${others} order by random() limit 1`)
        process.kill(rows[0].pid, 'SIGKILL')
      } else {
        const [pid] = (await readFile(join(folder.path, 'postgresql', 'postmaster.pid'), 'utf8')).split('\n')
        process.kill(Number(pid), 'SIGKILL')
      }
    }

    it('never show the state before a write that had been acknowledged, nor one that nobody wrote', (t) => {
      const { reads, writes, refused, faults } = counts
      t.diagnostic(
        `${isAlone ? `${leases} times with the lease, ` : ''}${reads} reads and ${refused} refused, ${writes} writes, ${faults} faults`,
      )
      assert.deepEqual(wrong, [])
      assert.ok(reads >= READS && writes >= WRITES && faults === FAULTS)
      assert.equal(leases > 0, isAlone)
      const seldom = retained.filter(({ reads }) => reads * retained.length < READS / 4)
      assert.deepEqual(
        seldom.map(({ register }) => register.name),
        [],
      )
    })

    it('show at the end what one shows that makes every answer anew', async () => {
      const port = String(await freePort())
      await campus.start({ CAMPUS_PORT: port, CAMPUS_RESPONSE_CACHE_MIB: '0' })
      const { token } = await campus.caller(`https://localhost:${port}`)
      const plain = clientOf({ url: `https://localhost:${port}`, agent }, token)
      for (const { register, acknowledged } of retained) {
        const expected = await register.read(plain)
        assert.notEqual(expected, undefined, register.name)
        if (register.kind === 'switch') assert.ok(acknowledged > 0, `${register.name} was never written`)
        for (const client of clients) assert.equal(await register.read(client), expected, register.name)
      }
    })

    it('never accept a token that was revoked by another', async () => {
      const [one, other = one] = clients as [Client, Client?]
      for (let round = 0; round < 10; round += 1) {
        const { json } = await one.post('/oauth/token', {
          grant_type: 'client_credentials',
          ...(await campus.credentials()),
        })
        const headers = { authorization: `Bearer ${json.access_token}` }
        const statuses = async () => [
          (await one.get('/v2/languages', headers)).status,
          (await other.get('/v2/languages', headers)).status,
        ]
        assert.deepEqual(await statuses(), [200, 200])
        await one.post('/oauth/revoke', { token: json.access_token, ...(await campus.credentials()) })
        assert.deepEqual(await statuses(), [401, 401])
      }
    })
  })

/** Each statement comes from a process that is there for it alone, as a command is. */
const asCommand =
  (url: string): Database['rows'] =>
  async (...given) => {
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url })
    return database.rows(...given).finally(() => database.close())
  }

function anyOf<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
