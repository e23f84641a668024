import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { backoffMilliseconds } from '../../base/backoff.ts'
import { toError } from '../../base/caught.ts'
import { ConfigError } from '../../base/config-error.ts'
import { makePrivateFolder } from '../../base/private-files.ts'
import { settingName } from '../../base/service.ts'
import { stopAll } from '../../base/stop-all.ts'
import { type Address, loopbackAddress, removeSocketFolder, socketAddress } from './address.ts'
import { clusterFolder, prepareCluster } from './cluster.ts'
import { endLeftovers } from './leftovers.ts'
import { type Postmaster, startPostmaster } from './postmaster.ts'
import { type Folders, findPrograms, type Programs, presumePrograms } from './programs.ts'
import type { RunAs } from './run-as.ts'
import { settingsOf } from './settings.ts'

export type EmbeddedOptions = {
  /** The data folder. The caller must hold its lock. */
  readonly data: string
  readonly connections: number
  readonly binaries?: string | undefined
  /** Account that PostgreSQL runs as if we are root. Chosen automatically by default. */
  readonly account?: string | undefined
  readonly settings?: Readonly<Record<string, string>>
  readonly onWarning?: ((message: string) => void) | undefined
  readonly reachedBy?: 'socket' | 'loopback'
  readonly onStarting?: (() => void) | undefined
}

const BACKOFF = { first: 100, max: 10_000 }
/** A server that ran for longer was healthy, so its failure starts a new backoff. */
const WELL_AFTER_MILLISECONDS = 60_000

/** PostgreSQL as a child process, with its files in the data folder. Restarts when it dies, and ends with this process. */
export class EmbeddedServer {
  readonly url: string
  readonly #socketFolder: string | undefined
  readonly #start: () => Promise<Postmaster>
  readonly #onWarning: (message: string) => void
  readonly #closing = new AbortController()
  readonly #supervision: Promise<void>
  #postmaster: Postmaster

  private constructor(
    { url, socketFolder }: Address,
    first: Postmaster,
    start: () => Promise<Postmaster>,
    { onWarning }: EmbeddedOptions,
  ) {
    this.url = url
    this.#socketFolder = socketFolder
    this.#start = start
    this.#onWarning = onWarning ?? (() => {})
    this.#postmaster = first
    this.#supervision = this.#supervise()
  }

  /** Creates the database if there is none, and starts its server. Throws ConfigError with advice. */
  static async open(options: EmbeddedOptions): Promise<EmbeddedServer> {
    await makePrivateFolder(options.data)
    const data = await realpath(options.data)
    const cluster = clusterFolder(data)
    refuseFormerDatabase(data, cluster)
    const presumed = await presumePrograms({ data, cluster }, options)
    if (presumed) {
      // On failure, the full search finds and reports the reason.
      const server = await EmbeddedServer.#openWith(presumed, { data, cluster }, options).catch(() => undefined)
      if (server) return server
    }
    return EmbeddedServer.#openWith(await findPrograms({ data, cluster }, options), { data, cluster }, options)
  }

  static async #openWith({ binaries, major, who }: Programs, { data, cluster }: Folders, options: EmbeddedOptions) {
    const address = await addressOf(options, data, cluster, who)
    const asksPassword = address.settings.listen_addresses !== ''
    await prepareCluster({ data, binaries, major, who, asksPassword })
    const settings = {
      ...settingsOf({ address: address.settings, connections: options.connections, major }),
      ...options.settings,
    }
    const start = async (onStarting?: () => void) => {
      await endLeftovers({ cluster, binaries, who, socketFolder: address.socketFolder })
      return startPostmaster({ cluster, binaries, who, settings, logFile: join(data, 'postgresql.log'), onStarting })
    }
    const first = await start(options.onStarting).catch(async (error) => {
      if (address.socketFolder) await removeSocketFolder(address.socketFolder)
      throw error
    })
    return new EmbeddedServer(address, first, start, options)
  }

  /** Stops the server. Its clients may end within some milliseconds first. */
  async close(clientsMilliseconds = 0): Promise<void> {
    this.#closing.abort()
    const folder = this.#socketFolder
    await stopAll([
      () => this.#postmaster.stop(clientsMilliseconds),
      () => this.#supervision,
      () => folder && removeSocketFolder(folder),
    ])
  }

  async #supervise(): Promise<void> {
    const { signal } = this.#closing
    for (let attempt = 0; ; attempt += 1) {
      const startedAt = performance.now()
      const said = await this.#postmaster.ended
      if (signal.aborted) return
      if (performance.now() - startedAt > WELL_AFTER_MILLISECONDS) attempt = 0
      this.#onWarning(`PostgreSQL ended and is started again. It said: ${said}`)
      if (attempt > 0) await pause(attempt, signal)
      await this.#startAgain(signal)
      if (signal.aborted) return this.#postmaster.stop(0)
    }
  }

  async #startAgain(signal: AbortSignal): Promise<void> {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        this.#postmaster = await this.#start()
        return
      } catch (error) {
        this.#onWarning(`PostgreSQL does not start, and is tried again. It said: ${toError(error).message}`)
        await pause(attempt, signal)
      }
    }
  }
}

const pause = (attempt: number, signal: AbortSignal) =>
  sleep(backoffMilliseconds(attempt, BACKOFF), undefined, { signal }).catch(() => {})

const addressOf = ({ reachedBy }: EmbeddedOptions, data: string, cluster: string, who: RunAs): Promise<Address> =>
  (reachedBy ?? (process.platform === 'win32' ? 'loopback' : 'socket')) === 'loopback'
    ? loopbackAddress(data)
    : socketAddress(cluster, who)

/** Release 0.1 had another kind of database in the folder `database`. */
function refuseFormerDatabase(data: string, cluster: string): void {
  const former = join(data, 'database')
  if (existsSync(cluster) || !existsSync(join(former, 'PG_VERSION'))) return
  throw new ConfigError(
    `${former} is the database of an earlier release (0.1), which this one cannot read. Keep that release for it, ` +
      `or set ${settingName('DATA')} to a new folder; or move the folder away to begin anew here.`,
  )
}
