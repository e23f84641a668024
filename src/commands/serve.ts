import { isatty } from 'node:tty'
import type { Config } from '../config.ts'
import { hasCluster } from '../database/embedded/cluster.ts'
import { saveCode } from './cache-code.ts'
import type { StartOptions } from './make-ready.ts'
import { withProgressBar } from './progress-bar.ts'
import { type RunningServer, startServer } from './start-server.ts'

type ServeOptions = Omit<StartOptions, 'showProgress'> & {
  /** Whether a supervisor has started this process. */
  readonly isWorker: boolean
}

/**
 * Serves until SIGINT, SIGTERM or the end of its terminal; any other SIGHUP has it read the certificate again, or replace its
 * processes where there are several.
 */
export async function serve(config: Config, { isWorker, ...options }: ServeOptions): Promise<void> {
  if (isWorker) {
    const { serveAsWorker } = await import('./serve-as-worker.ts')
    return serveAsWorker(config)
  }
  const server = await start(config, { ...options, showProgress: withProgressBar, onStep: await stepsOf(config) })
  const isTerminal = isatty(0)
  process.on('SIGHUP', () => (isTerminal && !isatty(0) ? process.kill(process.pid, 'SIGTERM') : reload(server)))
  const stopped = stopSignal()
  process.stdout.write(`${server.banner}\n`)
  saveCode()
  await stopped
  await server.close()
}

/** Says what is done at the very first start, to whoever looks on; nothing at any later one, which takes a second. */
async function stepsOf(config: Config): Promise<StartOptions['onStep']> {
  if (!process.stdout.isTTY || config.databaseUrl || (await hasCluster(config.data))) return undefined
  const tell = (step: string) => process.stdout.write(`${step} …\n`)
  tell(`Making a database in ${config.data}`)
  return tell
}

/** A service of one process is nobody's supervisor. */
async function start(config: Config, options: StartOptions): Promise<RunningServer> {
  if (config.processes > 1) return (await import('./supervise.ts')).supervise(config, options)
  return startServer(config, options)
}

function reload(server: RunningServer): void {
  server.reload().catch(({ message }: Error) => process.stderr.write(`${message}\n`))
}

const PATIENCE_SECONDS = 30
/** npm passes on the Ctrl-C that the terminal has sent already. */
const SAME_SIGNAL_MILLISECONDS = 500

/** Resolves at the first signal. From then on a second one ends the process at once, and so does time. */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAt: number | undefined
    const stop = () => {
      if (firstAt === undefined) {
        firstAt = Date.now()
        setTimeout(() => process.exit(1), PATIENCE_SECONDS * 1000).unref()
        resolve()
      } else if (Date.now() - firstAt > SAME_SIGNAL_MILLISECONDS) {
        process.exit(1)
      }
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}
