import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** A name for a holder of leases in this process, which no other has: `machine 1234 1a2b3c4d`. */
export const newHolder = (): string => `${hostname()} ${process.pid} ${randomBytes(4).toString('hex')}`

/** The machine and the process id of such a name. */
export function readHolder(holder: string): { readonly machine: string; readonly pid: string } {
  const [machine = '', pid = ''] = holder.split(' ')
  return { machine, pid }
}
