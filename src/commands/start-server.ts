import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { systemClock } from '../clock.ts'
import { type Config, ConfigError } from '../config.ts'
import { migrate } from '../database/migrate.ts'
import { loadSecretKey } from '../database/secret-key.ts'
import { banner } from '../demo/banner.ts'
import { fillIfNew, findDemonstration } from '../demo/demonstration.ts'
import { Connections } from '../http/connections.ts'
import { listenersOf } from '../http/listeners.ts'
import { reloadTls } from '../http/reload-tls.ts'
import { loadTls } from '../http/tls.ts'
import { lazily } from '../lazily.ts'
import type { ShowProgress } from '../progress.ts'
import { type OpenDatabase, openForServing, takeFolder } from './open-database.ts'
import { quietly } from './progress-bar.ts'

export type StartOptions = {
  /** Leaves a new database empty. */
  readonly empty?: boolean
  /** Fills a new database with the ids and names that public programs have written into them. */
  readonly likeTheNetwork?: boolean
  readonly showProgress?: ShowProgress
}

export type RunningServer = {
  /** The address to call it at, without a trailing slash. */
  readonly address: string
  /** What to tell whoever started it. */
  readonly banner: string
  /** Reads the certificate again and serves new connections with it. Throws ConfigError, and keeps the former one. */
  reloadTls(): Promise<void>
  /** Takes no more requests, lets the running ones end, and gives back everything that was taken at the start. */
  close(): Promise<void>
}

/** What has to be given back. */
type Taken = {
  opened?: OpenDatabase
  app?: FastifyInstance
  connections?: Connections
}

/** Starts all that the configuration asks for. Throws ConfigError or FolderInUse, with nothing left running. */
export async function startServer(config: Config, options: StartOptions = {}): Promise<RunningServer> {
  const taken: Taken = {}
  try {
    return await start(config, options, taken)
  } catch (error) {
    await giveBack(taken)
    throw error
  }
}

async function start(config: Config, options: StartOptions, taken: Taken): Promise<RunningServer> {
  const { empty = false, likeTheNetwork = false, showProgress = quietly } = options
  const lock = await takeFolder(config)
  // A second server is refused before all that is loaded, and a first one loads it while the database starts.
  const loadApp = lazily(() => import('../app.ts'))
  const onTrouble = (message: string) => process.stderr.write(`${message}\n`)
  const opened = await openForServing(config, lock, { onTrouble, onStarting: () => void loadApp() })
  taken.opened = opened
  const { database } = opened
  const tls = await loadTls(config)
  const secretKey = await loadSecretKey(config)
  await migrate(database.patient.kysely)
  if (!empty) await fillIfNew(config, database, { likeTheNetwork }, showProgress)

  const { createApp } = await loadApp()
  const app = await createApp({ config, database, clock: systemClock, tls, secretKey })
  taken.app = app
  await listen(app, config)
  taken.connections = new Connections(listenersOf(app))
  await opened.announce()

  const address = addressOf(app, config)
  const demonstration = await findDemonstration(config, database)
  let closing: Promise<void> | undefined
  return {
    address,
    banner: banner({ address, config, demonstration }),
    reloadTls: async () => reloadTls(app, await loadTls(config)),
    close() {
      closing ??= giveBack(taken)
      return closing
    },
  }
}

async function giveBack({ app, connections, opened }: Taken): Promise<void> {
  const closing = app?.close()
  connections?.end()
  await closing
  await opened?.close()
}

async function listen(app: FastifyInstance, { host, port }: Config): Promise<void> {
  try {
    await app.listen({ host, port })
  } catch (error) {
    throw explainListening(error, host, port)
  }
}

function explainListening(error: unknown, host: string, port: number): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new ConfigError(`CAMPUS_PORT must be a free port; another program has port ${port} of ${host}.`)
    case 'EACCES':
      return new ConfigError(`CAMPUS_PORT must be a port that this user may open; port ${port} is not.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new ConfigError(`CAMPUS_HOST must be an address of this machine; ${host} is not.`)
    default:
      return error
  }
}

/** Port 0 lets the system choose one. */
function addressOf(app: FastifyInstance, { baseUrl, port }: Config): string {
  const address = app.server.address() as AddressInfo
  return port === 0 ? `https://localhost:${address.port}` : baseUrl
}
