import { AsyncLocalStorage } from 'node:async_hooks'

/** The turn in which work waits for a connection. */
type Turn = {
  /** The id of the person whose work it is; undefined for work of several people. */
  person: number | undefined
  /** How many connections the work waits for now. */
  waiting: number
}

const turns = new AsyncLocalStorage<Turn>()

/** Runs work of a person. When connections are short, people take turns. */
export const inTurnOf = <T>(person: number | undefined, work: () => T): T => turns.run({ person, waiting: 0 }, work)

/** Runs work for requests of several people. It waits in the turn of none of them. */
export const inSharedTurn = <T>(work: () => T): T => inTurnOf(undefined, work)

/** The person whose work runs now; undefined for background work and before the person is known. */
export const requestingPerson = (): number | undefined => turns.getStore()?.person

/** Waits in the turn of the person whose work runs now. */
export async function waitInTurn(enter: (person: number | undefined) => Promise<void> | undefined): Promise<void> {
  const turn = turns.getStore()
  const entered = enter(turn?.person)
  if (!entered) return
  if (turn) turn.waiting += 1
  try {
    await entered
  } finally {
    if (turn) turn.waiting -= 1
  }
}

/** Work whose result people may share. */
export class SharedWork<T> {
  readonly result: Promise<T>
  readonly #turn: Turn = { person: requestingPerson(), waiting: 0 }

  constructor(work: () => Promise<T>) {
    this.result = turns.run(this.#turn, work)
  }

  /**
   * Returns whether the person whose work runs now may wait for the result. Returns false while the work waits in the turn of
   * another person, because requests of that person may come first. Once another person has joined, the work waits in nobody's turn.
   */
  join(): boolean {
    if (this.#turn.person === requestingPerson()) return true
    if (this.#turn.waiting > 0) return false
    this.#turn.person = undefined
    return true
  }
}
