import { startDeadline } from '../base/deadline.ts'
import { defined } from '../base/defined.ts'
import { DatabaseBusy } from './errors.ts'
import { runForEveryone } from './turns.ts'

/** A batch's statement must not grow without bound. */
const MAX_IN_BATCH = 200
/** Same limits as for waiting for a connection. */
const MAX_WAITING = 1_000
const WAITING_MILLISECONDS = 5_000

type Waiting<Asked, Found> = {
  readonly asked: Asked
  readonly resolve: (found: Found) => void
  readonly reject: (error: unknown) => void
}

/**
 * Answers many calls with one statement: calls of the same tick, or made while a statement is running, form a batch. A
 * statement that has been sent takes no more calls, so an answer is never older than its call.
 */
export class Batches<Asked, Found> {
  readonly #answerAll: (asked: readonly Asked[]) => Promise<readonly Found[]>
  readonly #waitingMilliseconds: number
  #waiting: Waiting<Asked, Found>[] = []
  #isBusy = false
  #isLate = false

  /** `answerAll` gives the answers in the order of the questions. */
  constructor(
    answerAll: (asked: readonly Asked[]) => Promise<readonly Found[]>,
    waitingMilliseconds = WAITING_MILLISECONDS,
  ) {
    this.#answerAll = answerAll
    this.#waitingMilliseconds = waitingMilliseconds
  }

  /**
   * Rejects with what `answerAll` throws, for all calls of the batch, and with DatabaseBusy where too many wait or one
   * waits too long.
   */
  async ask(asked: Asked): Promise<Found> {
    if (this.#isLate || this.#waiting.length >= MAX_WAITING) throw new DatabaseBusy()
    return new Promise((resolve, reject) => {
      this.#waiting.push({ asked, resolve, reject })
      if (this.#isBusy) return
      this.#isBusy = true
      // After all connections that have something to say have said it.
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

  /** A statement may take long, above all where its commit waits: who asks meanwhile is refused at once. */
  #refuseWaiting(): void {
    this.#isLate = true
    for (const { reject } of this.#waiting.splice(0)) reject(new DatabaseBusy())
  }
}
