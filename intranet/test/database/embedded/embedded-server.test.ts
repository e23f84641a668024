import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { giveCluster } from '@campus/test/support/clusters'
import { type Holder, holdServer } from '@campus/test/support/embedded-server-process'
import { temporaryFolder } from '@campus/test/support/folder'
import pg from 'pg'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let data: string
let opened: EmbeddedServer[]
let holders: Holder[]
beforeEach(async () => {
  folder = await temporaryFolder()
  data = join(folder.path, 'data')
  opened = []
  holders = []
})
afterEach(async () => {
  for (const holder of holders) await holder.kill()
  for (const server of opened) await server.close()
  await folder.remove()
})

type Options = Partial<Parameters<typeof EmbeddedServer.open>[0]>

/** Opens the database of the test's folder, which is made by `initdb` where there is none. */
async function openNew(options: Options = {}): Promise<EmbeddedServer> {
  const server = await EmbeddedServer.open({ data, connections: 10, ...options })
  opened.push(server)
  return server
}

/** The same with a copy where there is none, which takes less time. */
async function open(options: Options = {}): Promise<EmbeddedServer> {
  if (!existsSync(cluster())) await giveCluster(data, 'empty')
  return openNew(options)
}

async function hold(): Promise<Holder> {
  await giveCluster(data, 'empty')
  const holder = holdServer({ data })
  holders.push(holder)
  return holder
}

async function query(url: string, text: string): Promise<string[][]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows
  } finally {
    await client.end()
  }
}

/** Asks until the database answers. */
async function answered(url: string, text: string): Promise<string[][]> {
  for (;;) {
    const rows = await query(url, text).catch(() => undefined)
    if (rows) return rows
    await wait(10)
  }
}

const cluster = () => join(data, 'postgresql')
const postmaster = async () => Number((await readFile(join(cluster(), 'postmaster.pid'), 'utf8')).split('\n')[0])

/** The processes that work in the database's folder. */
const processes = () => pidsWhere((pid) => readlinkSync(`/proc/${pid}/cwd`) === cluster())

/** The processes of which that is true, but for those that have just ended. */
function pidsWhere(isTrue: (pid: number) => boolean): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => {
      try {
        return pid > 0 && isTrue(pid)
      } catch {
        return false
      }
    })
}

async function untilNoProcess(): Promise<void> {
  while (processes().length > 0) await wait(10)
}

describe('an embedded server', () => {
  it('keeps its files and its socket from other users, and listens on no network', async () => {
    const { url } = await openNew()
    const modes = []
    for (const path of [data, cluster(), join(cluster(), '.s.PGSQL.5432'), join(data, 'postgresql.log')]) {
      modes.push(((await stat(path)).mode & 0o777).toString(8))
    }
    assert.deepEqual(modes, ['700', '700', '700', '600'])
    assert.deepEqual(await query(url, 'show listen_addresses'), [['']])
  })

  it('writes everything to the disk before it is acknowledged', async () => {
    const { url } = await open()
    for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
      assert.deepEqual(await query(url, `show ${setting}`), [['on']], setting)
    }
  })

  it('keeps what was written for its next start', async () => {
    const first = await open()
    await query(first.url, "create table notes as select 'kept' as note")
    await first.close()
    const { url } = await open()
    assert.deepEqual(await query(url, 'select note from notes'), [['kept']])
  })

  it('has its socket in a folder of its own where the data folder has too long a name, and removes it', async () => {
    data = join(folder.path, 'long '.repeat(20), 'ü')
    await mkdir(dirname(data), { recursive: true })
    const server = await open()
    const socketFolder = decodeURIComponent(new URL(server.url).hostname)
    assert.equal((await stat(socketFolder)).mode & 0o777, 0o700)
    process.kill(await postmaster(), 'SIGKILL')
    await wait(50)
    assert.deepEqual(await answered(server.url, 'select 1'), [[1]])
    await server.close()
    await assert.rejects(stat(socketFolder), { code: 'ENOENT' })
    const { url } = await open()
    assert.deepEqual(await query(url, 'select 1'), [[1]])
  })

  it('can be reached over the loopback interface instead, with the password that only its folder holds', async () => {
    const { url } = await openNew({ reachedBy: 'loopback' })
    const { hostname, password } = new URL(url)
    assert.equal(hostname, '127.0.0.1')
    assert.equal((await stat(join(data, 'postgresql.password'))).mode & 0o777, 0o600)
    assert.deepEqual(await query(url, 'show listen_addresses'), [['127.0.0.1']])
    await assert.rejects(query(url.replace(password, 'guessed'), 'select 1'), /password authentication failed/)
    await opened.pop()?.close()
    assert.deepEqual(await query((await openNew({ reachedBy: 'loopback' })).url, 'select 1'), [[1]])
  })

  it('lets its clients end first, for as long as it is told, and takes no new ones meanwhile', async () => {
    const server = await open()
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const closing = server.close(60_000)
    await assert.rejects(
      (async () => {
        for (;;) await query(server.url, 'select 1')
      })(),
      /shutting down/,
    )
    assert.deepEqual((await client.query({ text: 'select 2', rowMode: 'array' })).rows, [[2]])
    await client.end()
    await closing
  })

  it('says nothing of statements and values in its log', async () => {
    const { url } = await open()
    await query(url, 'create table secrets (word text unique)')
    for (const word of ['hushhush', 'hushhush']) {
      await query(url, `insert into secrets values ('${word}')`).catch(() => {})
    }
    await query(url, "select 'hushhush'::integer").catch(() => {})
    const log = await readFile(join(data, 'postgresql.log'), 'utf8')
    assert.match(log, /ready to accept connections/)
    assert.doesNotMatch(log, /hushhush/)
  })
})

const SKIP = existsSync('/proc') ? false : 'SKIPPED: this system does not list its processes in /proc'

describe('an embedded server that dies', { skip: SKIP }, () => {
  it('is started again, with all that was committed', async () => {
    const failures: string[] = []
    const { url } = await open({ onWarning: (message) => failures.push(message) })
    await query(url, "create table notes as select 'kept' as note")
    for (let kills = 1; kills <= 3; kills += 1) {
      process.kill(await postmaster(), 'SIGKILL')
      while (failures.length < kills) await wait(1)
      assert.deepEqual(await answered(url, 'select note from notes'), [['kept']])
    }
    assert.match(failures[0] ?? '', /^PostgreSQL ended and is started again/)
  })

  it('is started again when sessions of the former one go on, which are ended', async () => {
    const { url } = await open()
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    const [[backend] = []] = (await client.query({ text: 'select pg_backend_pid()', rowMode: 'array' })).rows
    process.kill(backend, 'SIGSTOP') // It cannot notice that the server is gone.
    process.kill(await postmaster(), 'SIGKILL')
    await wait(50)
    assert.deepEqual(await answered(url, 'select 1'), [[1]])
    assert.ok(!processes().includes(backend))
  })

  it('is not started again once it was closed', async () => {
    const server = await open()
    process.kill(await postmaster(), 'SIGKILL')
    await server.close()
    await untilNoProcess()
  })
})

describe('the embedded server of a service that was killed', { skip: SKIP }, () => {
  it('notices and ends by itself', async () => {
    const service = await hold()
    const { url = '' } = await service.next()
    await query(url, "create table notes as select 'kept' as note")
    await service.kill()
    await untilNoProcess()
    assert.match(await readFile(join(data, 'postgresql.log'), 'utf8'), /database system is shut down/)
    assert.deepEqual(await query((await open()).url, 'select note from notes'), [['kept']])
  })

  it('is ended by the next start where it could not notice', async () => {
    const service = await hold()
    const { url = '' } = await service.next()
    await query(url, "create table notes as select 'kept' as note")
    killWatchdogOf(await postmaster())
    const former = await postmaster()
    await service.kill()
    assert.deepEqual(await query(url, 'select 1'), [[1]])
    assert.deepEqual(await query((await open()).url, 'select note from notes'), [['kept']])
    assert.ok(!processes().includes(former))
  })

  it('is ended by the next start even when it is frozen', async () => {
    const service = await hold()
    await service.next()
    const former = await postmaster()
    process.kill(former, 'SIGSTOP')
    await service.kill()
    assert.deepEqual(await query((await open()).url, 'select 1'), [[1]])
    assert.ok(!processes().includes(former))
  })

  it('leaves files that stop no start, even where they name another program by now', async () => {
    await (await open()).close()
    opened = []
    const lines = [process.ppid, cluster(), 1, 5432, cluster(), '', '1 1', 'ready']
    await writeFile(join(cluster(), 'postmaster.pid'), lines.join('\n'))
    await writeFile(join(cluster(), '.s.PGSQL.5432.lock'), `${process.ppid}\n`)
    await writeFile(join(cluster(), '.s.PGSQL.5432'), '')
    assert.deepEqual(await query((await open()).url, 'select 1'), [[1]])
    process.kill(process.ppid, 0) // Which was left alone.
  })
})

/** The shell that waits for the end of the service. */
function killWatchdogOf(server: number): void {
  const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  const [watchdog] = pidsWhere((pid) => commandOf(pid)[0] === '/bin/sh' && commandOf(pid).includes(String(server)))
  process.kill(watchdog as number, 'SIGKILL')
}
