import { addCount } from './limits.ts'

const MAX_OF_LIST = 100_000
/** Maximum number of records in all lists of this process: some 40 MB. */
const MAX_IN_ALL = 1_000_000
export const MAX_OF_PERSON = 200_000
/** Maximum number of records in all lists that tokens watch. The rest is for pages and screens. */
const MAX_OF_TOKENS = 800_000

export type RoomOwner = { readonly person: string; readonly isPage: boolean }

export type NoRoom = 'list' | 'person' | 'process'

/** Limits how many record ids are remembered. A list counts once, for the owner of one of its streams. */
export class MemberRoom {
  readonly #byPerson = new Map<string, number>()
  #byTokens = 0
  #all = 0

  /** One more than a list may have, to detect longer lists. */
  readonly limit = MAX_OF_LIST + 1

  /** Resizes the reservation of a list. Returns the limit it would exceed, or undefined if there is room. */
  take({ person, isPage }: RoomOwner, count: number, before: number): NoRoom | undefined {
    const more = count - before
    if (count > MAX_OF_LIST) return 'list'
    if (more > 0 && (this.#byPerson.get(person) ?? 0) + more > MAX_OF_PERSON) return 'person'
    if (more > 0 && (this.#all + more > MAX_IN_ALL || (!isPage && this.#byTokens + more > MAX_OF_TOKENS)))
      return 'process'
    this.#add({ person, isPage }, more)
    return undefined
  }

  release(owner: RoomOwner, count: number): void {
    this.#add(owner, -count)
  }

  /** Moves a reservation to another owner, even beyond that owner's limit, since the owner's stream is open already. */
  move(from: RoomOwner, to: RoomOwner, count: number): void {
    this.#add(from, -count)
    this.#add(to, count)
  }

  #add({ person, isPage }: RoomOwner, count: number): void {
    this.#all += count
    if (!isPage) this.#byTokens += count
    addCount(this.#byPerson, person, count)
  }
}
