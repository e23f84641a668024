import { readdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { migrate } from '@campus/engine/database/migrate'
import { storageOfResources } from '@campus/intranet/school/resources/declared'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import pg from 'pg'
import { databaseProxy } from '../support/database-proxy.ts'
import { temporaryFolder } from '../support/folder.ts'
import { type Campus, emptyCampus } from './server-process.ts'

/** A way in which a database can be away, for as long as one likes. */
export type Outage = { begin(): Promise<void>; end(): Promise<void> }

/** A campus whose database can be taken away. */
export type Endangered = {
  readonly campus: Campus
  readonly outages: Readonly<Record<string, Outage>>
  /** Asks the database itself, beside the service. */
  ask(statement: string): Promise<string>
  remove(): Promise<void>
}

const SIGNAL_EVERY_MILLISECONDS = 50

/** A campus on its embedded database. */
export async function embeddedCampus(): Promise<Endangered> {
  const campus = await emptyCampus({ database: 'embedded' })
  const cluster = join(String(campus.env.CAMPUS_DATA), 'postgresql')
  // It is started again each time.
  const repeated = (signal: NodeJS.Signals): Outage => {
    let stop = async () => {}
    return {
      async begin() {
        await signalFirst(cluster, signal)
        const stopping = new AbortController()
        const signalling = signalAgain(cluster, signal, stopping.signal)
        stop = () => {
          stopping.abort()
          return signalling
        }
      },
      end: () => stop(),
    }
  }
  return {
    campus,
    outages: { stopped: repeated('SIGINT'), killed: repeated('SIGKILL'), frozen: frozen(cluster) },
    ask: (statement) => askAt(`postgres://postgres@${encodeURIComponent(cluster)}/postgres`, statement),
    remove: () => campus.remove(),
  }
}

/** A campus on a PostgreSQL server of the school, with a role and a database of its own. */
export async function schoolCampus(): Promise<Endangered> {
  const folder = await temporaryFolder()
  const data = join(folder.path, 'school')
  const cluster = join(data, 'postgresql')
  const start = () => EmbeddedServer.open({ data, connections: 40 })
  let server = await start()
  const ask = (statement: string) => askAt(server.url, statement)
  await ask('create role campus login')
  await ask('create database campus owner campus')
  const address = Object.assign(new URL(server.url), { username: 'campus', pathname: '/campus' }).href
  const proxy = await databaseProxy(address)
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url: address })
  await migrate(database.kysely, storageOfResources())
  await database.close()
  const campus = await emptyCampus({ database: 'shared', env: { DATABASE_URL: proxy.url } })

  const restart = async () => {
    server = await start()
  }
  const line = (state: 'cut' | 'silent'): Outage => ({
    begin: async () => proxy.become(state),
    end: async () => proxy.become('sound'),
  })
  const refusing = (refuse: string, take: string): Outage => ({
    async begin() {
      await ask(`alter role campus ${refuse}`)
      await ask("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'campus'")
    },
    async end() {
      await ask(`alter role campus ${take}`)
    },
  })
  return {
    campus,
    outages: {
      stopped: { begin: () => server.close(), end: restart },
      killed: {
        async begin() {
          await signalFirst(cluster, 'SIGKILL')
          await server.close()
        },
        end: restart,
      },
      frozen: frozen(cluster),
      'refusing logins': refusing('nologin', 'login'),
      'out of connections': refusing('connection limit 0', 'connection limit -1'),
      'cut off': line('cut'),
      'behind a silent line': line('silent'),
    },
    ask,
    async remove() {
      await campus.remove()
      await proxy.close()
      await server.close()
      await folder.remove()
    },
  }
}

const frozen = (cluster: string): Outage => ({
  begin: () => signalAll(cluster, 'SIGSTOP'),
  end: () => signalAll(cluster, 'SIGCONT'),
})

/** Every process of a server works in its database's folder. A stopped one makes no others, so the second look finds the rest. */
async function signalAll(cluster: string, signal: NodeJS.Signals): Promise<void> {
  for (let look = 0; look < 2; look += 1) for (const pid of await processesIn(cluster)) send(pid, signal)
}

async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')))
  return pids.filter((_, at) => folders[at] === folder).map(Number)
}

async function signalAgain(cluster: string, signal: NodeJS.Signals, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    await wait(SIGNAL_EVERY_MILLISECONDS)
    await signalFirst(cluster, signal)
  }
}

async function signalFirst(cluster: string, signal: NodeJS.Signals): Promise<void> {
  const [pid] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
  if (Number(pid) > 0) send(Number(pid), signal)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/** Waits for a server that is starting. */
async function askAt(connectionString: string, statement: string): Promise<string> {
  for (;;) {
    const client = new pg.Client({ connectionString })
    try {
      client.on('error', () => {})
      await client.connect()
      const { rows } = await client.query({ text: statement, rowMode: 'array' })
      return String(rows[0]?.[0] ?? '')
    } catch (error) {
      if (error instanceof pg.DatabaseError && !/^(57P0|53300)/.test(error.code ?? '')) throw error
      await wait(20)
    } finally {
      await client.end().catch(() => {})
    }
  }
}
