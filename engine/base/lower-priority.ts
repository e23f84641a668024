import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of a process, or of the current thread by default, below the priority of the service. A worker
 * thread can lower its own priority on Linux only.
 */
export function lowerPriority(
  pid: number | undefined = thisThread(),
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  try {
    if (pid !== undefined) setPriority(pid, priority)
  } catch {
    // Without the right to lower it, the process keeps the normal priority.
  }
}

function thisThread(): number | undefined {
  if (isMainThread) return 0
  return process.platform === 'linux' ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : undefined
}
