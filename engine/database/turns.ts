import { AsyncLocalStorage } from 'node:async_hooks'

/** The person for whom work waits in queues for connections, shared by all parts of the work. */
type Turn = {
  /** Id of the person; undefined if several people share the work. */
  person: number | undefined
  /** Number of connections that the work is waiting for. */
  waiting: number
}

const turns = new AsyncLocalStorage<Turn>()

/** Runs work whose queries wait in the turn of a person. The connection pool serves people round-robin. */
export const runForPerson = <T>(person: number | undefined, work: () => T): T => turns.run({ person, waiting: 0 }, work)

/** Runs work that requests of several people wait for. Its queries wait in no person's turn. */
export const runForEveryone = <T>(work: () => T): T => runForPerson(undefined, work)

/** Id of the person whose work is running; undefined for background work and before authentication. */
export const currentPerson = (): number | undefined => turns.getStore()?.person

/** Calls `acquire` with the person whose work is running, and waits for the permit. */
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

/** Work whose result requests of several people may share. */
export class SharedWork<T> {
  readonly result: Promise<T>
  readonly #turn: Turn = { person: currentPerson(), waiting: 0 }

  constructor(work: () => Promise<T>) {
    this.result = turns.run(this.#turn, work)
  }

  /**
   * Reports whether the running request may wait for the result. It may not while the work waits in another person's turn,
   * possibly behind that person's other queries. Once another person has joined, later queries wait in no person's turn.
   */
  join(): boolean {
    if (this.#turn.person === currentPerson()) return true
    if (this.#turn.waiting > 0) return false
    this.#turn.person = undefined
    return true
  }
}
