import { pauseFor } from '../base/pause-for.ts'
import type { Database } from './database.ts'
import { isDatabaseAway } from './errors.ts'

type Repeated = {
  readonly database: Pick<Database, 'untilBack'>
  /** The pause before each time. */
  readonly milliseconds: number
  /** Whether the first time comes without one. */
  readonly atOnce?: boolean
  work(): Promise<unknown>
  /** Called with errors, except that the database is unavailable, which is logged once elsewhere. */
  onError(error: unknown): void
}

/**
 * Repeats the work, one run after the other, until the returned function is called, which resolves when the running one
 * has ended. While the database is unavailable it waits, and continues when it is back.
 */
export function repeatWork({ database, milliseconds, atOnce, work, onError }: Repeated): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let pause = atOnce ? 0 : milliseconds
  async function repeat(): Promise<void> {
    while (!signal.aborted) {
      await pauseFor(pause, signal)
      await database.untilBack(signal)
      if (!signal.aborted) pause = await runOnce()
    }
  }
  async function runOnce(): Promise<number> {
    try {
      await work()
    } catch (error) {
      if (isDatabaseAway(error)) return Math.min(AFTER_OUTAGE_MILLISECONDS, milliseconds)
      onError(error)
    }
    return milliseconds
  }
  const repeating = repeat()
  return () => {
    stopping.abort()
    return repeating
  }
}

/** Until an outage is noticed the work fails at once. */
const AFTER_OUTAGE_MILLISECONDS = 1_000
