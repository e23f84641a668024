import { defined } from '@campus/engine/base/defined'
import { numbered } from '../campus-life/times.ts'
import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const SHARE = 0.4
const OLDER_BY = 150 * DAY
/** Draws before giving up on users who have left. */
const MAX_ATTEMPTS = 40

/** Seeds patronages: some new students of the core curriculum get an older student of their campus as godfather. */
export async function seedPatronages(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('patronages')
  const students = people.filter(isStudent).sort((one, other) => one.core.beginAt - other.core.beginAt)
  const ofCampus = Map.groupBy(students, ({ campus }) => campus)
  const rows = numbered(
    people.flatMap((person) => {
      if (!isStudent(person) || !chance.chance(SHARE)) return []
      const at = toSecond(person.core.beginAt + chance.between(1, 20) * DAY)
      if (at > world.now) return []
      const godfather = chooseGodfather(chance, ofCampus.get(person.campus) ?? [], at)
      if (!godfather) return []
      const until = Math.min(person.core.endAt ?? Infinity, godfather.core.endAt ?? Infinity)
      const ongoing = until === Infinity
      const updated_at = ongoing ? at : until
      return { user_id: person.id, godfather_id: godfather.id, ongoing, created_at: at, updated_at }
    }),
  )
  await world.insert('patronages', rows)
}

type Student = Person & { readonly core: NonNullable<Person['core']> }

const isStudent = (person: Person): person is Student => person.core !== undefined

/**
 * Returns a student who began at least `OLDER_BY` earlier and has not left. `students` must be sorted by
 * `core.beginAt`.
 */
function chooseGodfather(chance: Random, students: readonly Student[], at: number): Student | undefined {
  const older = countBegun(students, at - OLDER_BY)
  for (let attempts = older > 0 ? MAX_ATTEMPTS : 0; attempts > 0; attempts -= 1) {
    const one = defined(students[chance.integer(0, older - 1)])
    if (one.presentUntil > at + DAY) return one
  }
  return undefined
}

/** Counts by binary search the students who began earlier. */
function countBegun(students: readonly Student[], before: number): number {
  let [low, high] = [0, students.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (defined(students[middle]).core.beginAt < before) low = middle + 1
    else high = middle
  }
  return low
}
