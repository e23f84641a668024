/** Of a list with more records it is not remembered which they are. */
const MAX_OF_LIST = 100_000
/** In all lists of this process: some 40 MB. */
const MAX_IN_ALL = 1_000_000

/** How many ids of records may be remembered. */
export class MemberRoom {
  #taken = 0

  /** One more than a list may have, so that one that has more is noticed. */
  readonly limit = MAX_OF_LIST + 1

  /** Takes room for so many in place of what was taken before; gives whether there is that much. */
  take(count: number, before: number): boolean {
    const taken = this.#taken - before + count
    if (count > MAX_OF_LIST || taken > MAX_IN_ALL) return false
    this.#taken = taken
    return true
  }

  giveBack(count: number): void {
    this.#taken -= count
  }
}
