import { setTimeout as wait } from 'node:timers/promises'
import { stopAll } from '../base/stop-all.ts'
import type { Database } from './database.ts'
import { isDatabaseAway } from './errors.ts'

export type Rounds = {
  readonly database: Pick<Database, 'changes' | 'untilBack'>
  readonly tables: readonly string[]
  /** Does what is due. Returns whether another round should follow. */
  round(): Promise<boolean>
  /** Whether no started work is left for later rounds. */
  isIdle(): boolean
  sleepMs(): number | Promise<number>
  /** Milliseconds between two consecutive rounds. None by default. */
  pauseMs?(): number
  /** Called with errors, except outages of the database, which are logged elsewhere. */
  onError(error: unknown): void
}

const AFTER_ERROR_MS = 1_000

/** Runs rounds while there is work, and else sleeps. Waits while the database is unavailable. Finishes started work when it is stopped. */
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

  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  start(): void {
    const { database, tables } = this.#rounds
    this.#stopListening = tables.map((table) => database.changes.listen(table, () => this.wake()))
    this.#running = this.#run()
  }

  /** Ends the current sleep, or the next one. */
  wake(): void {
    this.#isAwake = true
    this.#endSleep()
  }

  pause(): void {
    this.#stopping.abort(new Error('the service is stopping'))
    this.wake()
  }

  async stop(): Promise<void> {
    this.pause()
    await stopAll([...this.#stopListening, () => this.#running])
  }

  /** Runs rounds until nothing is due and no started work is left, for loops that were not started. */
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
