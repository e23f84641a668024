import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { isMainThread } from 'node:worker_threads'

/**
 * Lowers the priority of this thread, so that the service answers requests first. Only Linux lets a thread other than the main
 * one do so; elsewhere it keeps its priority.
 */
export function lowerPriority(priority: number = constants.priority.PRIORITY_BELOW_NORMAL): void {
  try {
    const thread = isMainThread ? 0 : Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, priority)
  } catch {
    // The work is done all the same.
  }
}
