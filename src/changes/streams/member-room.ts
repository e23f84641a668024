/** Of a list with more records it is not remembered which they are. */
const MAX_OF_LIST = 100_000
/** In all lists of this process: some 40 MB. */
const MAX_IN_ALL = 1_000_000
/** In all lists of one person. */
export const MAX_OF_PERSON = 200_000
/** In all lists that tokens watch. The rest is for pages and screens. */
const MAX_OF_TOKENS = 800_000

/** Whose lists are counted, and whether a page or a screen watches them. */
export type RoomOwner = { readonly person: string; readonly isPage: boolean }

/** Why there is no room: for the list itself, for its owner or for anybody. */
export type NoRoom = 'list' | 'person' | 'process'

/** How many ids of records may be remembered. A list counts once, for the person of one of its streams. */
export class MemberRoom {
  readonly #byPerson = new Map<string, number>()
  #byTokens = 0
  #all = 0

  /** One more than a list may have, so that one that has more is noticed. */
  readonly limit = MAX_OF_LIST + 1

  /** Resizes what a list takes. Returns why there is not enough room, or undefined if there is. */
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

  /** Counts a list for another owner, even if their share is full: their stream has been open for a while. */
  move(from: RoomOwner, to: RoomOwner, count: number): void {
    this.#add(from, -count)
    this.#add(to, count)
  }

  #add({ person, isPage }: RoomOwner, count: number): void {
    this.#all += count
    if (!isPage) this.#byTokens += count
    const sum = (this.#byPerson.get(person) ?? 0) + count
    if (sum === 0) this.#byPerson.delete(person)
    else this.#byPerson.set(person, sum)
  }
}
