import { defined } from '@campus/engine/base/defined'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { HOUR } from './time.ts'

const MAX_ATTEMPTS = 16

/** Who evaluates whom: people of the same campus who know the trade by then, or else of the staff. */
export class Correctors {
  readonly #chance: Random
  readonly #byCampus: ReadonlyMap<number, readonly Person[]>
  readonly #staff: readonly Person[]
  /** Hours in which somebody has an evaluation that is to come, of others or of their own. */
  readonly #booked = new Set<string>()
  /** Is asked first, once. */
  #guide: Person | undefined

  constructor(chance: Random, people: readonly Person[]) {
    this.#chance = chance
    this.#byCampus = Map.groupBy(
      people.filter(({ core }) => core !== undefined),
      ({ campus }) => campus.id,
    )
    this.#staff = people.filter(({ kind }) => kind === 'admin')
    this.#guide = people.find(({ isGuide }) => isGuide)
  }

  /** The hour, or the next one, in which all members are free for an evaluation that is to come; they are booked then. */
  book(members: readonly Person[], at: number): number {
    if (members.some((person) => this.#isBooked(person, at))) return this.book(members, at + HOUR)
    for (const person of members) this.#book(person, at, true)
    return at
  }

  /** A corrector who is free at that time, or undefined. */
  find(members: readonly Person[], at: number, isToCome: boolean): Person | undefined {
    const guide = this.#guide
    if (isToCome && guide && guide.campus === members[0]?.campus && this.#isFree(guide, members, at, true)) {
      this.#guide = undefined
      return this.#book(guide, at, true)
    }
    const students = this.#byCampus.get(defined(members[0]).campus.id) ?? []
    for (let attempts = 0; attempts < MAX_ATTEMPTS && students.length > 0; attempts += 1) {
      const person = this.#chance.pick(students)
      const hasBegun = (person.core?.beginAt ?? Infinity) < at && person.presentUntil > at
      if (hasBegun && this.#isFree(person, members, at, isToCome)) return this.#book(person, at, isToCome)
    }
    const staff = this.#staff.find((person) => this.#isFree(person, members, at, isToCome))
    return staff && this.#book(staff, at, isToCome)
  }

  #isFree(person: Person, members: readonly Person[], at: number, isToCome: boolean): boolean {
    if (members.includes(person)) return false
    return !isToCome || !this.#isBooked(person, at)
  }

  #isBooked(person: Person, at: number): boolean {
    return hoursAround(at).some((hour) => this.#booked.has(`${person.id} ${hour}`))
  }

  #book(person: Person, at: number, isToCome: boolean): Person {
    if (isToCome) this.#booked.add(`${person.id} ${Math.floor(at / HOUR)}`)
    return person
  }
}

const hoursAround = (at: number) => [-1, 0, 1].map((step) => Math.floor(at / HOUR) + step)
