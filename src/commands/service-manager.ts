import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toError } from '../caught.ts'

/**
 * What tells systemd that the service serves, where a unit of `Type=notify` has started it; else it does nothing. The variable is
 * taken away at once, since the embedded PostgreSQL may tell the same of itself. Node has no such sockets, so that systemd's own
 * program is asked to.
 */
export function takeServiceManager(env: NodeJS.ProcessEnv): (address: string) => Promise<void> {
  const { NOTIFY_SOCKET } = env
  delete env.NOTIFY_SOCKET
  return async (address) => {
    if (!NOTIFY_SOCKET) return
    try {
      const words = ['--ready', `--status=Serving at ${address}`]
      await promisify(execFile)('systemd-notify', words, { env: { ...env, NOTIFY_SOCKET } })
    } catch (error) {
      process.stderr.write(`systemd could not be told that the service serves: ${toError(error).message}\n`)
    }
  }
}
