import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { defined } from '../../src/base/defined.ts'
import { findPrograms } from '../../src/database/embedded/programs.ts'
import { runAs, spawnAs } from '../../src/database/embedded/run-as.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { OLDEST_BINARIES } from './oldest-server.ts'
import { until } from './until.ts'

/** A server of PostgreSQL on the loopback interface. */
export type ReplicatedServer = {
  readonly port: number
  start(): Promise<void>
  /** Like the loss of its machine. */
  kill(): Promise<void>
  /** Stops and goes on: what is connected gets no answer meanwhile. */
  freeze(): void
  thaw(): void
  /** Makes a standby the primary. */
  promote(): Promise<void>
  /** Runs a statement on it, as the superuser. */
  ask(statement: string): Promise<readonly unknown[][]>
}

export type Replicated = {
  readonly primary: ReplicatedServer
  /** The first of the standbys, which commits wait for where they are synchronous. */
  readonly standby: ReplicatedServer
  readonly standbys: readonly ReplicatedServer[]
  /** These, in this order, with these parameters. */
  address(servers: readonly ReplicatedServer[], parameters?: string): string
  close(): Promise<void>
}

const childrenOf = (pid: number): readonly number[] =>
  existsSync(`/proc/${pid}`)
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    : []

const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
wal_level = replica
hot_standby = on
fsync = off
shared_buffers = 32MB
wal_keep_size = 256MB
max_wal_size = 256MB
`

/** A primary and standbys that follow it; commits wait for the first of these where they are synchronous. Programs of Debian's package. */
export async function replicated({ isSynchronous = false, standbys: count = 1 } = {}): Promise<Replicated> {
  const folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const { binaries, who } = await findPrograms(
    { data: folder.path, cluster: join(folder.path, 'first') },
    { binaries: OLDEST_BINARIES },
  )
  const program = (name: string) => join(binaries, name)
  const running = new Set<ChildProcess>()

  async function server(name: string): Promise<ReplicatedServer & { readonly name: string; readonly data: string }> {
    const data = join(folder.path, name)
    const port = await freePort()
    let child: ChildProcess | undefined
    const ask = async (statement: string) => {
      const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
      client.on('error', () => {})
      await client.connect()
      try {
        return (await client.query({ text: statement, rowMode: 'array' })).rows
      } finally {
        await client.end()
      }
    }
    /** To the server and its processes, each of which leads a group of its own. */
    const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
      const { pid } = child ?? {}
      const others = pid ? childrenOf(pid).flatMap((one) => [one, ...childrenOf(one)]) : []
      for (const one of pid ? [pid, ...others] : []) process.kill(one, name)
    }
    return {
      ...{ name, data, port, ask },
      async start() {
        child = spawnAs(who, [program('postgres'), '-D', data, '-p', String(port)], 'ignore')
        running.add(child)
        await until(() =>
          ask('select 1').then(
            () => true,
            () => false,
          ),
        )
      },
      async kill() {
        if (!child?.pid) return
        process.kill(-child.pid, 'SIGKILL')
        await once(child, 'exit')
        running.delete(child)
        child = undefined
      },
      freeze: () => signal('SIGSTOP'),
      thaw: () => signal('SIGCONT'),
      async promote() {
        await ask('select pg_promote(true, 60)')
      },
    }
  }

  const primary = await server('primary')
  const standbys = await Promise.all(Array.from({ length: count }, (_, at) => server(`standby${at + 1}`)))
  await runAs(who, [
    program('initdb'),
    '-D',
    primary.data,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--no-locale',
    '-N',
  ])
  await writeFile(join(primary.data, 'postgresql.auto.conf'), SETTINGS)
  await primary.start()
  for (const standby of standbys) {
    await runAs(who, [
      ...([program('pg_basebackup'), '-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'] as const),
      ...['-D', standby.data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'],
    ])
    const settings = join(standby.data, 'postgresql.auto.conf')
    const connection = (await readFile(settings, 'utf8'))
      .split('\n')
      .findLast((line) => line.startsWith('primary_conninfo'))
    await appendFile(settings, `${connection?.replace(/'$/, ` application_name=${standby.name}'`)}\n`)
    await standby.start()
  }
  if (isSynchronous) {
    await primary.ask(`alter system set synchronous_standby_names = 'standby1'`)
    await primary.ask('select pg_reload_conf()')
    await until(async () => (await primary.ask(`select from pg_stat_replication where sync_state = 'sync'`)).length > 0)
  }
  return {
    ...{ primary, standby: defined(standbys[0]), standbys },
    address: (servers, parameters = '') =>
      `postgres://postgres@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres${parameters}`,
    async close() {
      for (const child of running) if (child.pid) process.kill(-child.pid, 'SIGKILL')
      await Promise.all(
        [...running].map((child) =>
          child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined,
        ),
      )
      await folder.remove()
    },
  }
}
