import { defined } from '@campus/engine/base/defined'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { HOUR } from './time.ts'

const MAX_ATTEMPTS = 16

/** Finds correctors: students of the core curriculum at the same campus, or else staff. */
export class Correctors {
  readonly #chance: Random
  readonly #byCampus: ReadonlyMap<number, readonly Person[]>
  readonly #staff: readonly Person[]
  /** Hours of upcoming evaluations, as `personId hour`. */
  readonly #booked = new Set<string>()
  /** First corrector of an upcoming evaluation at the campus of the guide. */
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

  /** Books the first hour from `at` in which all members are free. Returns the hour. */
  book(members: readonly Person[], at: number): number {
    if (members.some((person) => this.#isBooked(person, at))) return this.book(members, at + HOUR)
    for (const person of members) this.#book(person, at, true)
    return at
  }

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
    return !members.includes(person) && !(isToCome && this.#isBooked(person, at))
  }

  #isBooked({ id }: Person, at: number): boolean {
    const hour = Math.floor(at / HOUR)
    return [hour - 1, hour, hour + 1].some((near) => this.#booked.has(`${id} ${near}`))
  }

  #book(person: Person, at: number, isToCome: boolean): Person {
    if (isToCome) this.#booked.add(`${person.id} ${Math.floor(at / HOUR)}`)
    return person
  }
}
