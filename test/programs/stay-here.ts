/**
 * Loaded before a program (`node --import`): leads the name that programs have written into them to the service under
 * test, as a line in /etc/hosts would, and refuses every other address. The program sees nothing of it.
 */
import { Socket } from 'node:net'

type Target = { readonly host?: string; readonly port?: string | number }

const { PROGRAM_HOST, PROGRAM_PORT } = process.env
const LOOPBACK = ['localhost', '127.0.0.1', '::1']

const connect = Socket.prototype.connect

Socket.prototype.connect = function (this: Socket, ...given: unknown[]) {
  // Node hands its callers' arguments on as one array.
  const [target, listener] = (Array.isArray(given[0]) ? given[0] : given) as [Target, () => void]
  const { host = 'localhost', port } = target
  if (host === PROGRAM_HOST && Number(port) === 443) {
    const here = { ...target, host: '127.0.0.1', port: Number(PROGRAM_PORT) }
    return connect.apply(this, [here, listener] as never)
  }
  if (!LOOPBACK.includes(host)) throw new Error(`${host}:${port} is not on this machine`)
  return connect.apply(this, given as never)
} as typeof connect
