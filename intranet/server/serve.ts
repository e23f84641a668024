import { flushCompileCache } from 'node:module'
import { isatty } from 'node:tty'
import { toError } from '@campus/engine/base/caught'
import { createLogger, writeAfter } from '@campus/engine/base/logs/logger'
import { print } from '@campus/engine/base/text/printable'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import { hasCluster } from '@campus/engine/database/embedded/cluster'
import type { Logger } from 'pino'
import type { Config } from '../settings/config.ts'
import type { StartOptions } from './make-ready.ts'
import { withProgressBar } from './progress-bar.ts'
import type { RunningServer } from './serve-opened.ts'
import { takeServiceManager } from './service-manager.ts'
import { startServer } from './start-server.ts'

type ServeOptions = Omit<StartOptions, 'showProgress'> & {
  /** Whether a supervisor has started this process. */
  readonly isWorker: boolean
}

/**
 * Serves until SIGINT, SIGTERM or the end of its terminal. Another SIGHUP reloads the certificate, or replaces the worker
 * processes.
 */
export async function serve(config: Config, { isWorker, ...options }: ServeOptions): Promise<void> {
  if (isWorker) {
    const { serveAsWorker } = await import('./serve-as-worker.ts')
    return serveAsWorker(config, options.parts)
  }
  const log = await createLogger(config)
  const begun = performance.now()
  const notifyServiceManager = takeServiceManager(process.env)
  const starting = start(config, {
    ...options,
    showProgress: withProgressBar,
    onStep: await stepsOf(config),
    onExpired: (end) => log.warn({ end }, 'the certificate of CAMPUS_TLS_CERT has expired: replace it and send SIGHUP'),
    onMigrated: (migrations) => log.info({ migrations: migrations.length, latest: migrations.at(-1) }, 'migrated'),
    onCollision: (text) => log.warn(`${text}: "${typedCommand('doctor')}" says what to do`),
  })
  // Signals during the start are handled once it serves.
  const terminals = STANDARD_STREAMS.filter((stream) => isatty(stream))
  process.on('SIGHUP', () => {
    if (terminals.length > 0 && !terminals.some((stream) => isatty(stream))) process.kill(process.pid, 'SIGTERM')
    else starting.then((server) => reload(server, log)).catch(() => {})
  })
  const server = await starting
  // Set up before readiness is announced, since a signal may follow at once.
  const stopped = stopSignal(config.drainSeconds, () =>
    log.error({ waitingFor: server.waitingFor() }, 'ended before it had stopped'),
  )
  const seconds = Math.round((performance.now() - begun) / 100) / 10
  const { processes } = config
  log.info(
    { address: server.address, processes, database: config.databaseUrl ? 'named' : 'embedded', seconds },
    'serving',
  )
  writeAfter(log, `${server.banner}\n`)
  notifyServiceManager(server.address)
  flushCompileCache()
  const reason = await Promise.race([stopped, server.superseded])
  if (reason instanceof Error) {
    log.fatal({ reason: reason.message }, 'stopping: start the newer release')
    process.exitCode = 1
    endInTime(() => log.error({ waitingFor: server.waitingFor() }, 'ended before it had stopped'))
  } else log.info({ signal: reason }, 'stopping')
  let reporting: NodeJS.Timeout | undefined
  try {
    if (!(reason instanceof Error)) await server.drain()
    reporting = setInterval(() => log.info({ waitingFor: server.waitingFor() }, 'still stopping'), REPORT_MILLISECONDS)
    await server.close()
    log.info('stopped')
  } catch (error) {
    log.error({ err: error }, 'stopped, but not all as it should')
    process.exitCode = 1
  } finally {
    clearInterval(reporting)
  }
}

/** Reports the steps of the first start, which takes long. */
async function stepsOf(config: Config): Promise<StartOptions['onStep']> {
  if (!process.stdout.isTTY || config.databaseUrl || (await hasCluster(config.data))) return undefined
  const report = (step: string) => print(`${step} …`)
  report(`Making a database in ${config.data}`)
  return report
}

/** A service of one process needs no supervisor. */
async function start(config: Config, options: StartOptions): Promise<RunningServer> {
  if (config.processes > 1) return (await import('./supervise.ts')).supervise(config, options)
  return startServer(config, options)
}

async function reload(server: RunningServer, log: Logger): Promise<void> {
  log.info('reloading')
  try {
    await server.reload()
    log.info('reloaded')
  } catch (error) {
    print(toError(error).message, process.stderr)
    log.error({ reason: toError(error).message }, 'not reloaded')
  }
}

const TIMEOUT_SECONDS = 30
/** Interval at which a running stop logs what it waits for. */
const REPORT_MILLISECONDS = 3_000
const STANDARD_STREAMS = [0, 1, 2]

function endInTime(onEnd: () => void, drainSeconds = 0): void {
  const end = () => {
    onEnd()
    process.exit(1)
  }
  setTimeout(end, (TIMEOUT_SECONDS + drainSeconds) * 1000).unref()
}

/** npm repeats the Ctrl-C that the terminal has sent already. */
const SAME_SIGNAL_MILLISECONDS = 500

/** Resolves to the first signal. Afterwards a second one or a timeout ends the process. */
function stopSignal(drainSeconds: number, onEnd: () => void): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const stop = (signal: NodeJS.Signals) => {
      if (firstAt === undefined) {
        firstAt = Date.now()
        endInTime(onEnd, drainSeconds)
        resolve(signal)
      } else if (Date.now() - firstAt > SAME_SIGNAL_MILLISECONDS) {
        onEnd()
        process.exit(1)
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
