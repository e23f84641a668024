import { startDeadline } from '../../base/deadline.ts'
import { MemoryRates } from './memory-rates.ts'
import type { RateStore, Spending, Spent } from './rate-store.ts'

const ANSWER_MILLISECONDS = 1_000

/** Counts in another process, or in this process while the other one does not answer. */
export class InsuredRates implements RateStore {
  readonly #store: RateStore
  readonly #insurance = new MemoryRates()
  #isLate = false

  constructor(store: RateStore) {
    this.#store = store
  }

  async spend(spending: Spending): Promise<Spent> {
    if (this.#isLate) return this.#insurance.spend(spending)
    const late = Promise.withResolvers<undefined>()
    const stop = startDeadline(ANSWER_MILLISECONDS, () => late.resolve(undefined))
    const asked = this.#store.spend(spending)
    const spent = await Promise.race([asked, late.promise]).finally(stop)
    if (spent) return spent
    this.#isLate = true
    const onAnswer = () => {
      this.#isLate = false
    }
    void asked.then(onAnswer, onAnswer)
    return this.#insurance.spend(spending)
  }
}
