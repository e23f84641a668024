import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError } from '@campus/engine/base/config-error'
import { defined } from '@campus/engine/base/defined'
import { stopAll } from '@campus/engine/base/stop-all'
import { type Database, openDatabase } from '@campus/engine/database/database'
import { EmbeddedServer } from '@campus/engine/database/embedded/embedded-server'
import { FolderInUse, type FolderLock, takeLock } from '@campus/engine/database/embedded/folder-lock'
import { otherClientsGone } from '@campus/engine/database/embedded/other-clients'
import { isOtherEncoding } from '@campus/engine/database/encoding'
import { isDatabaseAway, reasonOf } from '@campus/engine/database/errors'
import { isTransactionPooling } from '@campus/engine/database/pooling-mode'
import { SCHOOL_MIGRATIONS } from '../school/resources/migrations.ts'
import type { Config } from '../settings/config.ts'
import { requireCluster, requireInstallation } from './installation.ts'

export type OpenDatabase = {
  readonly database: Database
  readonly url: string
  /** Lets other commands use the embedded server that this process started. */
  announce(): Promise<void>
  /** Releases all resources. */
  close(): Promise<void>
}

/** Commands on the data folder are soon done. */
const TIMEOUT_MILLISECONDS = 60_000
const SERVE = 'serve'

/** Connections of other commands to the embedded server. */
const OTHER_CLIENTS = 30
/** Connections of a process besides its pool: for the listener, background work and whole lists. */
export const BESIDE_POOL = 5
/** Pool of the supervisor, which serves nothing itself. */
const SUPERVISOR_POOL = 2
/** Maximum duration of a statement while serving. Commands have no limit. */
const SERVING_STATEMENT_SECONDS = 30

/**
 * Takes the data folder for a server, after waiting for a command. Throws FolderInUse if another server has it. Returns
 * undefined if DATABASE_URL names the database, which any number of servers may use.
 */
export async function takeFolder(config: Config): Promise<FolderLock | undefined> {
  if (config.databaseUrl) return undefined
  return whenFree(
    () => takeLock(config.data, SERVE),
    ({ holder }) => holder !== undefined && holder.command !== SERVE,
  )
}

/** Retries for a while if the holder of the data folder may be about to release it. */
async function whenFree<T>(work: () => Promise<T>, mayRetry: (inUse: FolderInUse) => boolean): Promise<T> {
  const deadline = Date.now() + TIMEOUT_MILLISECONDS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof FolderInUse && mayRetry(error)) || Date.now() > deadline) throw error
      await sleep(100)
    }
  }
}

type ServingOptions = {
  /** Called when the database becomes unavailable, and when the embedded one has to be restarted. */
  readonly onWarning: (message: string) => void
  /** Called while the embedded database starts. */
  readonly onStarting: () => void
}

/** Opens the database for a server: the embedded one in the taken folder, or that of DATABASE_URL. Throws ConfigError. */
export const openForServing = (
  config: Config,
  lock: FolderLock | undefined,
  { onWarning, onStarting }: ServingOptions,
): Promise<OpenDatabase> => {
  // A supervisor reads replicas only for the log.
  const { databaseReplicaUrls: replicaUrls } = config
  const poolSize = config.processes > 1 ? SUPERVISOR_POOL : config.databasePoolSize
  const use: Use = { onWarning, statementSeconds: SERVING_STATEMENT_SECONDS, poolSize, replicaUrls }
  return lock
    ? startEmbedded(config, lock, { ...use, onStarting, clientsMilliseconds: 5_000 })
    : openNamed(config, defined(config.databaseUrl), use)
}

/** Opens the database that another process of this service has opened, and warns when it becomes unavailable. */
export const openForWorker = (config: Config, url: string): Promise<OpenDatabase> =>
  connect(url, config, { statementSeconds: SERVING_STATEMENT_SECONDS, replicaUrls: config.databaseReplicaUrls })

/** A command that opens the database. */
export type Opener = {
  readonly name: string
  /** Whether the command makes a database in a data folder without one. Otherwise it fails. */
  readonly mayCreate: boolean
}

/**
 * Opens the database for a command: that of DATABASE_URL, the embedded one of a running server, or the embedded one started
 * for the command. Throws ConfigError.
 */
export async function openForCommand(config: Config, command: Opener): Promise<OpenDatabase> {
  if (config.databaseUrl) return openNamed(config, config.databaseUrl)
  if (!command.mayCreate) await requireInstallation(config)
  // A server that is starting or stopping soon answers or leaves.
  return whenFree(
    () => openEmbedded(config, command),
    () => true,
  )
}

/** Opens the database for some work, and releases it. */
export async function withDatabase<T>(
  config: Config,
  command: Opener,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const { database, close } = await openForCommand(config, command)
  try {
    return await work(database)
  } finally {
    await close()
  }
}

async function openEmbedded(config: Config, { name, mayCreate }: Opener): Promise<OpenDatabase> {
  try {
    const lock = await takeLock(config.data, name)
    if (!mayCreate) await requireCluster(config).catch((error) => lock.release().then(() => Promise.reject(error)))
    // Other commands that connected meanwhile may take their time.
    const opened = await startEmbedded(config, lock, { clientsMilliseconds: 3_600_000 })
    await opened.announce()
    return opened
  } catch (error) {
    if (!(error instanceof FolderInUse && error.holder?.url)) throw error
    try {
      return await join(error.holder.url, config)
    } catch (reason) {
      throw isDatabaseAway(reason) ? error : reason
    }
  }
}

/** Uses the server of another command or of `serve`. A stopping server may have accepted only the first connection. */
async function join(url: string, config: Config): Promise<OpenDatabase> {
  const opened = await connect(url, config)
  try {
    await opened.database.check()
    return opened
  } catch (error) {
    await opened.close()
    throw error
  }
}

type Use = {
  readonly onWarning?: (message: string) => void
  readonly statementSeconds?: number
  /** Default: the configured size. */
  readonly poolSize?: number
  readonly replicaUrls?: readonly string[]
}

type EmbeddedUse = Use & {
  /** Time that other clients have to end when this process stops. */
  readonly clientsMilliseconds: number
  readonly onStarting?: () => void
}

async function startEmbedded(
  config: Config,
  lock: FolderLock,
  { clientsMilliseconds, onStarting, ...use }: EmbeddedUse,
): Promise<OpenDatabase> {
  let server: EmbeddedServer | undefined
  const stop = async () => {
    // New processes wait until the folder is free. Present ones may finish.
    await lock.announce(undefined).catch(() => {})
    const stopServer = async () => server?.close(await otherClientsGone(server.url, clientsMilliseconds))
    await stopAll([stopServer, () => lock.release()])
  }
  try {
    const { data, databasePoolSize: poolSize, postgresBin: binaries, postgresAccount: account, processes } = config
    const connections = poolSize + (processes - 1) * (poolSize + BESIDE_POOL) + OTHER_CLIENTS
    const { onWarning } = use
    server = await EmbeddedServer.open({ data, connections, binaries, account, onWarning, onStarting })
    const { url } = server
    const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url, poolSize, ...use })
    return {
      database,
      url,
      announce: () => lock.announce(url),
      // Stops the server and releases the folder even if closing our connections fails.
      close: () => database.close().finally(stop),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const openNamed = (config: Config, url: string, use: Use = {}): Promise<OpenDatabase> =>
  connect(url, config, use).catch((error) => {
    if (isTransactionPooling(error))
      throw new ConfigError(`The service needs sessions, and ${reasonOf(error)}.`, { cause: error })
    if (isOtherEncoding(error)) throw new ConfigError(`${reasonOf(error)}.`, { cause: error })
    throw new ConfigError(`DATABASE_URL must name a database that answers; this one does not (${reasonOf(error)}).`)
  })

async function connect(
  url: string,
  { databasePoolSize: poolSize, databaseDirectUrl: directUrl }: Config,
  use: Use = {},
): Promise<OpenDatabase> {
  const database = await openDatabase({ migrations: SCHOOL_MIGRATIONS, url, directUrl, poolSize, ...use })
  return { database, url, announce: async () => {}, close: () => database.close() }
}
