import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** Returns the host name, limited to 40 safe characters. */
export const machineName = (): string =>
  hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 40)

/** Returns a unique name for a holder of leases in this process: `machine 1234 1a2b3c4d`. */
export const newHolder = (): string => `${machineName()} ${process.pid} ${randomBytes(4).toString('hex')}`

export function readHolder(holder: string): { readonly machine: string; readonly pid: string } {
  const [machine = '', pid = ''] = holder.split(' ')
  return { machine, pid }
}
