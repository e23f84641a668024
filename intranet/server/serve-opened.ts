import { chmod } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '@campus/engine/base/caught'
import { systemClock } from '@campus/engine/base/clock'
import { ConfigError } from '@campus/engine/base/config-error'
import { createLogger } from '@campus/engine/base/logs/logger'
import { once } from '@campus/engine/base/once'
import { portOf } from '@campus/engine/base/port-of'
import { releaseMemoryWhileIdle } from '@campus/engine/base/release-memory'
import { type Stop, stopAll } from '@campus/engine/base/stop-all'
import { print } from '@campus/engine/base/text/printable'
import type { Handle } from '@campus/engine/database/handle'
import { renewCertificates } from '@campus/engine/http/acme/renew-certificates'
import { Connections } from '@campus/engine/http/connections'
import { failureOf, listenAt, listenersOf } from '@campus/engine/http/listeners'
import { startReaderHost } from '@campus/engine/http/readers/read-in-process'
import { reloadTls } from '@campus/engine/http/reload-tls'
import { loadTls } from '@campus/engine/http/tls'
import { removeStaleSocket } from '@campus/engine/http/unix-socket'
import type { FastifyInstance } from 'fastify'
import { storageOfResources } from '../school/resources/declared.ts'
import { machinesWithout } from '../services/attachments/machines.ts'
import type { Config } from '../settings/config.ts'
import { createApp } from './app/app.ts'
import type { Shared } from './app/dependencies.ts'
import { counted } from './columns.ts'
import { type Keys, loadKeys, makeReady, type StartOptions } from './make-ready.ts'
import type { OpenDatabase } from './open-database.ts'
import type { Part } from './part.ts'
import { welcome } from './welcome.ts'

/** Values that the supervisor passes to a worker. */
export type Given = { readonly databaseUrl: string; readonly shared: Shared; readonly parts: readonly Part[] }

export type RunningServer = {
  /** Without a trailing slash. */
  readonly address: string
  readonly banner: string
  /** Reloads the certificate for new connections. Throws ConfigError and keeps the former one. */
  reload(): Promise<void>
  /** Resolves when a newer release has changed the database so that this one cannot serve. */
  readonly superseded: Promise<Error>
  /** Reports that it is not ready, and keeps serving for the configured time, so that a balancer sends requests elsewhere. */
  drain(): Promise<void>
  /** Names what a running stop waits for. */
  waitingFor(): string
  /** Accepts no more requests, lets running ones end, and releases all resources. */
  close(): Promise<void>
}

export type Server = RunningServer & {
  /** Leaves new connections to other processes, gives clients time to move, and closes. */
  retire(): Promise<void>
}

/** Idle time after which a connection is closed. */
const RETIRING_MILLISECONDS = 5_000

type Taken = {
  readonly opened: OpenDatabase
  isAppClosed?: boolean
  app?: FastifyInstance
  connections?: Connections
  stopRenewing?: () => Promise<void>
  stopReleasing?: Stop
}

/** Does the work that needs no database while the database starts. */
export function prepare(): void {
  storageOfResources()
}

/** Serves from an open database. Throws ConfigError, with nothing left running. */
export async function serveOpened(
  config: Config,
  options: StartOptions | Given,
  opened: OpenDatabase,
): Promise<Server> {
  const taken: Taken = { opened }
  try {
    return await serve(config, options, taken)
  } catch (error) {
    await giveBack(taken)
    throw error
  }
}

async function serve(config: Config, options: StartOptions | Given, taken: Taken): Promise<Server> {
  const { opened } = taken
  const { parts } = options
  const given = 'databaseUrl' in options ? options : undefined
  const { database } = opened
  startReaderHost()
  const onWarning = (message: string) => print(message, process.stderr)
  const stopping = new AbortController()
  const open = async (keys: Keys) => {
    const log = await createLogger(config)
    const dependencies = { ...keys, parts, config, database, clock: systemClock, log, stopping: stopping.signal }
    const app = await createApp(dependencies, given?.shared)
    taken.app = app
    return app
  }
  const app =
    'databaseUrl' in options ? await open(await loadKeys(config)) : await makeReady(config, database, options, open)
  if (!given && config.socket) await removeStaleSocket(config.socket.path)
  await listen(app, config)
  const connections = new Connections([app.server])
  taken.connections = connections
  await opened.announce()
  if (!given) await warnOfFolder(config, database, onWarning)

  const address = addressOf(app, config)
  const reload = async () => {
    if (config.isBehindProxy) return
    const next = await loadTls(config).catch(({ message }: Error) => {
      throw new ConfigError(`${message} The former certificate stays.`)
    })
    reloadTls(app, next)
  }
  if (!given) taken.stopRenewing = await renewCertificates({ config, onRenewed: reload, notify: onWarning })
  taken.stopReleasing = releaseMemoryWhileIdle()
  const close = once(() => giveBack(taken))
  return {
    address,
    banner: given ? '' : await welcome(address, config, database, parts),
    reload,
    superseded: database.superseded,
    waitingFor: () =>
      taken.isAppClosed
        ? 'the database'
        : connections.active > 0
          ? counted(connections.active, 'request')
          : 'work in the background',
    async drain() {
      stopping.abort()
      await sleep(config.drainSeconds * 1000)
    },
    async retire() {
      for (const server of listenersOf(app)) server.maxConnections = 0
      await connections.dismiss(RETIRING_MILLISECONDS)
      await close()
    },
    close,
  }
}

/** Files in a folder of this machine are lost with it, and other machines cannot read them. */
async function warnOfFolder(
  { s3, files, databaseUrl }: Config,
  database: Pick<Handle, 'rows'>,
  warn: (message: string) => void,
): Promise<void> {
  const others = s3 || !databaseUrl ? [] : await machinesWithout(files, database)
  if (others.length > 0)
    warn(
      `Files are stored in ${files}, which ${others.join(', ')} does not use. Set CAMPUS_S3_BUCKET, or share one folder.`,
    )
}

async function giveBack(taken: Taken): Promise<void> {
  const { app, connections, opened, stopRenewing, stopReleasing } = taken
  const closeApp = async () => {
    const closing = app?.close()
    connections?.end()
    await closing
    taken.isAppClosed = true
  }
  await stopAll([stopReleasing, stopRenewing, closeApp, opened.close])
}

async function listen(app: FastifyInstance, { host, port, socket }: Config): Promise<void> {
  try {
    if (!socket) return await listenAt(app, { host, port })
    await app.listen({ path: socket.path })
    // The socket stays owner-only until this chmod.
    await chmod(socket.path, socket.mode)
  } catch (error) {
    throw socket ? explainSocket(error, socket.path) : explainListening(error, host, port)
  }
}

function explainSocket(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code !== 'EACCES' && code !== 'ENOENT' && code !== 'EROFS' && code !== 'ENOTDIR') return error
  return new ConfigError(`CAMPUS_SOCKET must be in a folder that this user may write to; ${path} is not (${code}).`)
}

function explainListening(error: unknown, host: string, port: number): unknown {
  const { address, code } = failureOf(error)
  if (address === undefined) return error
  const where = address === host ? address : `${address}, which is an address of CAMPUS_HOST (${host})`
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(`CAMPUS_PORT must be a free port; another program has port ${port} of ${where}.`)
    case 'EACCES':
      return new ConfigError(`CAMPUS_PORT must be a port that this user may open; port ${port} is not.`)
    case 'EMFILE':
    case 'ENFILE':
      return new ConfigError(`Port ${port} of ${where} cannot be opened: too many files are open (${code}).`)
    default:
      return new ConfigError(`CAMPUS_HOST must be an address of this machine; ${host} is not (${code}).`)
  }
}

/** Port 0 lets the system choose one. */
function addressOf(app: FastifyInstance, { baseUrl, port, isBehindProxy }: Config): string {
  if (isBehindProxy) return baseUrl
  return port === 0 ? `https://localhost:${portOf(app.server)}` : baseUrl
}
