import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'

/** What a machine is called, in letters that every part takes. */
export const machineName = (): string =>
  hostname()
    .replaceAll(/[^\w.-]/g, '-')
    .slice(0, 40)

/** A name for a holder of leases in this process, which no other has: `machine 1234 1a2b3c4d`. */
export const newHolder = (): string => `${machineName()} ${process.pid} ${randomBytes(4).toString('hex')}`

/** The machine and the process id of such a name. */
export function readHolder(holder: string): { readonly machine: string; readonly pid: string } {
  const [machine = '', pid = ''] = holder.split(' ')
  return { machine, pid }
}
