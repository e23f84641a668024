import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { canRun } from './can-run.ts'
import { databaseProxy } from './database-proxy.ts'
import { temporaryFolder } from './folder.ts'
import { freePort } from './free-port.ts'

const PROGRAM = ['pgbouncer', '/usr/sbin/pgbouncer'].find((name) => canRun(name, '--version'))

/** Reason to skip tests that need PgBouncer, or false if it is installed. */
export const PGBOUNCER_SKIP = PROGRAM ? false : "SKIPPED: no pgbouncer (install Debian's package pgbouncer)"

export type PoolMode = 'session' | 'transaction' | 'statement'

/** A running PgBouncer in front of a database. */
export type Pooler = {
  /** URL of the database through the pooler. */
  readonly url: string
  /** Changes the pool mode. Open connections stay. */
  become(mode: PoolMode): Promise<void>
  close(): Promise<void>
}

type Options = {
  readonly mode: PoolMode
  /** Maximum number of connections to the database. */
  readonly size?: number
  /** Whether to use the connections in turn (`server_round_robin`), instead of the last used one. */
  readonly inTurn?: boolean
}

/** Starts a PgBouncer in front of the database. Resolves when it accepts connections. */
export async function pgbouncer(url: string, { mode, size = 40, inTurn = false }: Options): Promise<Pooler> {
  const [folder, port, proxy] = [await temporaryFolder(), await freePort(), await databaseProxy(url)]
  const { hostname, port: proxyPort, username, password, pathname } = new URL(proxy.url)
  const name = pathname.slice(1)
  const login = [
    `user=${decodeURIComponent(username)}`,
    ...(password ? [`password=${decodeURIComponent(password)}`] : []),
  ]
  const file = join(folder.path, 'pgbouncer.ini')
  const write = (mode: PoolMode) =>
    writeFile(
      file,
      `[databases]
${name} = host=${hostname} port=${proxyPort} dbname=${name} ${login.join(' ')}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 400
server_round_robin = ${inTurn ? 1 : 0}
ignore_startup_parameters = extra_float_digits
`,
      { mode: 0o644 },
    )
  await write(mode)
  // PgBouncer refuses to run as root, so another user must read its folder.
  await chmod(folder.path, 0o755)
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const child: ChildProcess = spawn(PROGRAM as string, ['-q', file], { ...account, stdio: 'ignore' })
  await untilTaken(port, child)
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    async become(mode) {
      await write(mode)
      child.kill('SIGHUP')
    },
    async close() {
      const gone = once(child, 'exit')
      if (child.kill('SIGKILL')) await gone
      await proxy.close()
      await folder.remove()
    },
  }
}

async function untilTaken(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}`)
    const socket = connect(port, '127.0.0.1')
    const isTaken = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isTaken) return
    await wait(20)
  }
}
