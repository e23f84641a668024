import { isatty } from 'node:tty'
import type { Config } from '../config.ts'
import { saveCode } from './cache-code.ts'
import { withProgressBar } from './progress-bar.ts'
import { type RunningServer, type StartOptions, startServer } from './start-server.ts'

/** Serves until SIGINT, SIGTERM or the end of its terminal; any other SIGHUP has it read the certificate again. */
export async function serve(config: Config, options: Omit<StartOptions, 'showProgress'>): Promise<void> {
  const server = await startServer(config, { ...options, showProgress: withProgressBar })
  const isTerminal = isatty(0)
  process.on('SIGHUP', () => (isTerminal && !isatty(0) ? process.kill(process.pid, 'SIGTERM') : reload(server)))
  const stopped = stopSignal()
  process.stdout.write(`${server.banner}\n`)
  saveCode()
  await stopped
  await server.close()
}

function reload(server: RunningServer): void {
  server.reloadTls().catch(({ message }: Error) => process.stderr.write(`${message} The former certificate stays.\n`))
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
