import { glob, readFile } from 'node:fs/promises'

/** Value of Linux. */
const TICKS_PER_SECOND = 100

/** Returns the processor seconds of processes and all their descendants. */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const parents = new Map<number, number>()
  const ticks = new Map<number, number>()
  for await (const file of glob('/proc/[0-9]*/stat')) {
    const text = await readFile(file, 'utf8').catch(() => '')
    // The name of a program may hold anything.
    const [pid, fields] = [Number.parseInt(text, 10), text.slice(text.lastIndexOf(')') + 2).split(' ')]
    if (!fields[12]) continue
    parents.set(pid, Number(fields[1]))
    ticks.set(pid, Number(fields[11]) + Number(fields[12]))
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pids.includes(pid) || isOurs(parents.get(pid)))
  let sum = 0
  for (const [pid, spent] of ticks) if (isOurs(pid)) sum += spent
  return sum / TICKS_PER_SECOND
}
