import { startDeadline } from '../base/deadline.ts'
import { defined } from '../base/defined.ts'
import { DatabaseBusy } from './errors.ts'
import { runForEveryone } from './turns.ts'

const MAX_IN_BATCH = 200
const MAX_WAITING = 1_000
const WAITING_MILLISECONDS = 5_000

type Waiting<Asked, Found> = {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers many calls with one statement: calls of the same tick, or during a statement, form a batch. A running statement takes no
 * further calls, so an answer is never older than its call.
 */
export class Batches<Asked, Found> {
  readonly #answerAll: (asked: readonly Asked[]) => Promise<readonly Found[]>
  readonly #waitingMilliseconds: number
  #waiting: Waiting<Asked, Found>[] = []
  #isBusy = false
  #isLate = false

  constructor(
    answerAll: (asked: readonly Asked[]) => Promise<readonly Found[]>,
    waitingMilliseconds = WAITING_MILLISECONDS,
  ) {
    this.#answerAll = answerAll
    this.#waitingMilliseconds = waitingMilliseconds
  }

  /** Rejects all calls of a batch with the error of `answerAll`. Rejects with DatabaseBusy if too many calls wait, or too long. */
  async ask(asked: Asked): Promise<Found> {
    if (this.#isLate || this.#waiting.length >= MAX_WAITING) throw new DatabaseBusy()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject })
      if (this.#isBusy) return
      this.#isBusy = true
      // Waits for other connections of this turn of the event loop.
      setImmediate(() => void runForEveryone(() => this.#answerWaiting()))
    })
  }

  async #answerWaiting(): Promise<void> {
    while (this.#waiting.length > 0) await this.#answer(this.#waiting.splice(0, MAX_IN_BATCH))
    this.#isBusy = false
  }

  async #answer(batch: readonly Waiting<Asked, Found>[]): Promise<void> {
    const stop = startDeadline(this.#waitingMilliseconds, () => this.#refuseWaiting())
    try {
      const found = await this.#answerAll(batch.map(({ asked }) => asked))
      for (const [index, answer] of found.entries()) defined(batch[index]).resolve(answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      stop()
      this.#isLate = false
    }
  }

  /** Rejects waiting and new calls while a statement takes too long, such as a waiting commit. */
  #refuseWaiting(): void {
    this.#isLate = true
    for (const { reject } of this.#waiting.splice(0)) reject(new DatabaseBusy())
  }
}
