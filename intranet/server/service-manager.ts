import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { toError } from '@campus/engine/base/caught'
import { print } from '@campus/engine/base/text/printable'

/**
 * Notifies systemd that the service is ready, if a unit of `Type=notify` started it. Removes the variable at once, since the
 * embedded PostgreSQL would notify, too. Runs `systemd-notify`, since Node has no datagram Unix sockets.
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
      print(`systemd could not be told that the service serves: ${toError(error).message}`, process.stderr)
    }
  }
}
