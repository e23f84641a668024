import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { appendFile, chmod, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf } from '@campus/engine/base/caught'
import { findPrograms } from '@campus/engine/database/embedded/programs'
import { runAs, spawnAs } from '@campus/engine/database/embedded/run-as'
import { askPostgres } from './ask-postgres.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'
import { OLDEST_BINARIES } from './oldest-server.ts'
import { until } from './until.ts'

/** A server of PostgreSQL on the loopback interface, of Debian's package. */
export type PostgresServer = {
  readonly name: string
  readonly port: number
  /** Process id of the postmaster while it runs. */
  readonly pid: number | undefined
  /** Makes an empty database of it. */
  create(): Promise<void>
  /** Makes it a standby that follows the server at that port, from a copy of it; what it had is gone. */
  follow(port: number): Promise<void>
  /** Has a standby follow another server from now on. */
  turnTo(port: number): Promise<void>
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

/** Signals a process, unless it has ended since its pid was read. */
function signalIfRunning(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

const childrenOf = (pid: number): readonly number[] =>
  existsSync(`/proc/${pid}`)
    ? readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
    : []

/** Servers in a folder of their own. `settings` are those of each beside what all have, as in postgresql.conf. */
export async function postgresServers(names: readonly string[], settings: (name: string) => string = () => '') {
  const folder = await temporaryFolder()
  await chmod(folder.path, 0o755)
  const { binaries, who } = await findPrograms(
    { data: folder.path, cluster: join(folder.path, 'first') },
    { binaries: OLDEST_BINARIES },
  )
  const running = new Set<ChildProcess>()
  const run = (name: string, ...words: readonly string[]) => runAs(who, [join(binaries, name), ...words])

  async function server(name: string): Promise<PostgresServer> {
    const data = join(folder.path, name)
    const port = await freePort()
    let child: ChildProcess | undefined
    const configure = (more = '') => appendFile(join(data, 'postgresql.auto.conf'), `${more}${settings(name)}\n`)
    const ask = (statement: string) =>
      askPostgres({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' }, statement)
    /** To the server and its processes, each of which leads a group of its own. */
    const signal = (what: 'SIGSTOP' | 'SIGCONT') => {
      const { pid } = child ?? {}
      const others = pid ? childrenOf(pid).flatMap((one) => [one, ...childrenOf(one)]) : []
      for (const one of pid ? [pid, ...others] : []) signalIfRunning(one, what)
    }
    return {
      ...{ name, port, ask },
      get pid() {
        return child?.pid
      },
      async create() {
        await run('initdb', '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N')
        await writeFile(join(data, 'postgresql.auto.conf'), SETTINGS)
        await configure()
      },
      async follow(from) {
        await rm(data, { recursive: true, force: true })
        const at = ['-h', '127.0.0.1', '-p', String(from), '-U', 'postgres']
        await run('pg_basebackup', ...at, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync')
        const written = await readFile(join(data, 'postgresql.auto.conf'), 'utf8')
        const line = written.split('\n').findLast((one) => one.startsWith('primary_conninfo'))
        await configure(`${line?.replace(/'$/, ` application_name=${name}'`)}\n`)
      },
      async turnTo(to) {
        const address = `host=127.0.0.1 port=${to} user=postgres application_name=${name}`
        await ask(`alter system set primary_conninfo = '${address}'`)
        await ask('select pg_reload_conf()')
      },
      async start() {
        child = spawnAs(who, [join(binaries, 'postgres'), '-D', data, '-p', String(port)], 'ignore')
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

  return {
    servers: await Promise.all(names.map(server)),
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
