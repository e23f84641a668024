import { pauseFor } from '../base/pause-for.ts'
import type { Database } from './database.ts'
import { isDatabaseAway } from './errors.ts'

type Repeated = {
  readonly database: Pick<Database, 'untilBack'>
  readonly milliseconds: number
  readonly atOnce?: boolean
  work(): Promise<unknown>
  /** Called with errors, except outages of the database, which are logged elsewhere. */
  onError(error: unknown): void
}

/** Repeats work until the returned function is called. Waits while the database is unavailable. */
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

const AFTER_OUTAGE_MILLISECONDS = 1_000
