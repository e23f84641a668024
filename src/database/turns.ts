import { AsyncLocalStorage } from 'node:async_hooks'

/** The ids of people whose requests run. */
const people = new AsyncLocalStorage<number | undefined>()

/** Runs work of a person. When connections are short, people take turns. */
export const inTurnOf = <T>(person: number | undefined, work: () => T): T => people.run(person, work)

/** Runs work for requests of several people. It waits in the turn of none of them. */
export const inSharedTurn = <T>(work: () => T): T => inTurnOf(undefined, work)

/** The person whose work runs now; undefined for background work and before the person is known. */
export const requestingPerson = (): number | undefined => people.getStore()
