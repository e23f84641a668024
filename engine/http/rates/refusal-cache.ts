import { defined } from '../../base/defined.ts'
import type { RateStore, Spending, Spent } from './rate-store.ts'

/** Limits the age of a refusal, so that other windows stay current. */
const CACHED_MILLISECONDS = 1_000
const MAX_ENTRIES = 10_000

/** Caches the refusals of a remote store. A refused request is not counted, so it stays refused until its time has come. */
export class RefusalCache implements RateStore {
  readonly #store: RateStore
  readonly #refused = new Map<string, { readonly spent: Spent; readonly at: number }>()

  constructor(store: RateStore) {
    this.#store = store
  }

  async spend(spending: Spending): Promise<Spent> {
    const name = nameOf(spending)
    const known = this.#refused.get(name)
    if (known) {
      const waitedMilliseconds = performance.now() - known.at
      const waitMilliseconds = known.spent.waitMilliseconds - waitedMilliseconds
      if (waitMilliseconds > 0 && waitedMilliseconds < CACHED_MILLISECONDS) return { ...known.spent, waitMilliseconds }
      this.#refused.delete(name)
    }
    const spent = await this.#store.spend(spending)
    if (spent.refusedBy !== undefined) this.#cache(name, spent)
    return spent
  }

  #cache(name: string, spent: Spent): void {
    if (this.#refused.size >= MAX_ENTRIES) this.#refused.delete(defined(this.#refused.keys().next().value))
    this.#refused.set(name, { spent, at: performance.now() })
  }
}

const nameOf = ({ by, needs, windows }: Spending) =>
  `${by} ${needs} ${windows.map(({ points, seconds }) => `${points}/${seconds}`).join(' ')}`
