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

/** A database as a command or a server uses it. */
export type OpenDatabase = {
  readonly database: Database
  /** Where it is reached. */
  readonly url: string
  /** Lets other commands use the embedded server that was started here. */
  announce(): Promise<void>
  /** Releases all resources. */
  close(): Promise<void>
}

/** A command that works on the data folder is soon done. */
const TIMEOUT_MILLISECONDS = 60_000
const SERVE = 'serve'

/** Other commands may use the embedded server while this one does. */
const OTHER_CLIENTS = 30
/** Connections of a process besides its pool: the listener's, those for background work and those for whole lists. */
export const BESIDE_POOL = 5
/** Of a process that starts others, and serves nothing itself. */
const SUPERVISOR_POOL = 2
/** No request waits longer for one statement; commands take their time. */
const SERVING_STATEMENT_SECONDS = 30

/**
 * Takes the data folder for a server. Throws FolderInUse at once when another server has it; a command is waited for.
 * Undefined where DATABASE_URL names the database, which any number of servers may use.
 */
export async function takeFolder(config: Config): Promise<FolderLock | undefined> {
  if (config.databaseUrl) return undefined
  return whenFree(
    () => takeLock(config.data, SERVE),
    ({ holder }) => holder !== undefined && holder.command !== SERVE,
  )
}

/** Retries for a while, as long as a holder that is about to release it holds the data folder. */
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
  /** Called while the embedded one starts: there is time for other work. */
  readonly onStarting: () => void
}

/**
 * Opens the database for a server: the embedded one in the folder that it took, or the one that DATABASE_URL names. Throws
 * ConfigError.
 */
export const openForServing = (
  config: Config,
  lock: FolderLock | undefined,
  { onWarning, onStarting }: ServingOptions,
): Promise<OpenDatabase> => {
  // One that starts others looks at the replicas for the log alone.
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
  /** Whether the command makes a database in a data folder without one. Otherwise the command fails. */
  readonly mayCreate: boolean
}

/**
 * Opens the database for a command: the one that DATABASE_URL names, the embedded one of the server that runs, or the
 * embedded one started for the time of the command. Throws ConfigError.
 */
export async function openForCommand(config: Config, command: Opener): Promise<OpenDatabase> {
  if (config.databaseUrl) return openNamed(config, config.databaseUrl)
  if (!command.mayCreate) await requireInstallation(config)
  // A server that is just starting or stopping soon answers, or leaves.
  return whenFree(
    () => openEmbedded(config, command),
    () => true,
  )
}

/** Does what a command needs the database for, and releases it. */
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
    // Others that came meanwhile may take their time.
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

/** Uses the server of another command, or of `serve`. One that is about to stop may have let in the first connection only. */
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
  /** Instead of the configured size. */
  readonly poolSize?: number
  readonly replicaUrls?: readonly string[]
}

type EmbeddedUse = Use & {
  /** How long other clients have to end when we do. */
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
    // New processes wait until the folder is free; those that are open may finish.
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
      // Whatever becomes of our own connections, the server is stopped and the folder is free.
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
