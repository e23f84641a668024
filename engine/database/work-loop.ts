import { setTimeout as wait } from 'node:timers/promises'
import { stopAll } from '../base/stop-all.ts'
import type { Database } from './database.ts'
import { isDatabaseAway } from './errors.ts'

/** Work that is done in rounds. */
export type Rounds = {
  readonly database: Pick<Database, 'changes' | 'untilBack'>
  /** A change of these tables wakes the loop. */
  readonly tables: readonly string[]
  /** Does what is due. Resolves to whether there was anything: then another round follows. */
  round(): Promise<boolean>
  /** Whether nothing that was begun is left to be finished in later rounds. */
  isIdle(): boolean
  /** How long to sleep where nothing was due, in milliseconds. */
  sleepMs(): number | Promise<number>
  /** The pause between two rounds that follow each other, in milliseconds; none unless said. */
  pauseMs?(): number
  /** Called with errors, except that the database is unavailable, which is logged once elsewhere. */
  onError(error: unknown): void
}

const AFTER_ERROR_MS = 1_000

/**
 * Runs rounds of work without a pause while there is some, else sleeps until it is woken or the time is up. It waits
 * while the database is unavailable. When stopped, it finishes what was begun.
 */
export class WorkLoop {
  readonly #rounds: Rounds
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #stopListening: (() => void)[] = []
  #endSleep = () => {}
  #isAwake = false

  constructor(rounds: Rounds) {
    this.#rounds = rounds
  }

  /** Aborted when the loop is asked to stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  start(): void {
    const { database, tables } = this.#rounds
    this.#stopListening = tables.map((table) => database.changes.listen(table, () => this.wake()))
    this.#running = this.#run()
  }

  /** Ends the sleep, or the next one if a round is running. */
  wake(): void {
    this.#isAwake = true
    this.#endSleep()
  }

  /** Asks the loop to stop. */
  pause(): void {
    this.#stopping.abort(new Error('the service is stopping'))
    this.wake()
  }

  /** Asks the loop to stop, and resolves when it has. */
  async stop(): Promise<void> {
    this.pause()
    await stopAll([...this.#stopListening, () => this.#running])
  }

  /** Does rounds until nothing is due and nothing is left that was begun. For loops that were not started. */
  async settle(): Promise<void> {
    for (;;) {
      if (await this.#round()) continue
      if (this.#rounds.isIdle()) return
      await this.#sleep(AFTER_ERROR_MS)
    }
  }

  #round(): Promise<boolean> {
    this.#isAwake = false
    return this.#rounds.round()
  }

  async #run(): Promise<void> {
    const { database, pauseMs, isIdle, sleepMs, onError } = this.#rounds
    while (!(this.stopping.aborted && isIdle())) {
      try {
        if (!(await this.#round())) await this.#sleep(await sleepMs())
        else if (pauseMs) await wait(pauseMs())
      } catch (error) {
        if (!isDatabaseAway(error)) onError(error)
        if (this.stopping.aborted) return
        await wait(AFTER_ERROR_MS, undefined, { signal: this.stopping }).catch(() => {})
        await database.untilBack(this.stopping)
      }
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    if (this.#isAwake) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#endSleep = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
