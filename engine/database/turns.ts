import { AsyncLocalStorage } from 'node:async_hooks'

type Turn = {
  person: number | undefined
  waiting: number
}

const turns = new AsyncLocalStorage<Turn>()

/** Runs work whose queries wait in a person's turn. The connection pool serves people round-robin. */
export const runForPerson = <T>(person: number | undefined, work: () => T): T => turns.run({ person, waiting: 0 }, work)

/** Runs work that several people wait for. Its queries wait in no person's turn. */
export const runForEveryone = <T>(work: () => T): T => runForPerson(undefined, work)

/** Returns the person whose work is running, or undefined for background work and before authentication. */
export const currentPerson = (): number | undefined => turns.getStore()?.person

export async function waitForPermit(acquire: (person: number | undefined) => Promise<void> | undefined): Promise<void> {
  const turn = turns.getStore()
  const acquired = acquire(turn?.person)
  if (!acquired) return
  if (turn) turn.waiting += 1
  try {
    await acquired
  } finally {
    if (turn) turn.waiting -= 1
  }
}

export class SharedWork<T> {
  readonly result: Promise<T>
  readonly #turn: Turn = { person: currentPerson(), waiting: 0 }

  constructor(work: () => Promise<T>) {
    this.result = turns.run(this.#turn, work)
  }

  /**
   * Reports whether the current request may wait for the result. It may not while the work waits in another person's turn, possibly
   * behind that person's other queries. Once another person has joined, later queries wait in no person's turn.
   */
  join(): boolean {
    if (this.#turn.person === currentPerson()) return true
    if (this.#turn.waiting > 0) return false
    this.#turn.person = undefined
    return true
  }
}
