import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of a process that has just been started, or of this thread, so that the service answers requests first.
 * Only Linux lets a thread other than the main one do so; elsewhere it keeps its priority.
 */
export function lowerPriority(
  process: number | undefined = thisThread(),
  priority: number = constants.priority.PRIORITY_BELOW_NORMAL,
): void {
  try {
    if (process !== undefined) setPriority(process, priority)
  } catch {
    // The work is done all the same.
  }
}

function thisThread(): number | undefined {
  if (isMainThread) return 0
  return process.platform === 'linux' ? Number(readlinkSync('/proc/thread-self').split('/').at(-1)) : undefined
}
