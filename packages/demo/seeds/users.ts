import { drawingPath } from '../drawing-path.ts'
import { Logins } from './logins.ts'
import { Names } from './names.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { DAY, toDate, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Retention of the data of former users. */
const ERASED_AFTER = 5 * 365 * DAY

/** Inserts users without passwords. Returns their logins. */
export async function seedUsers(
  world: World,
  people: readonly Person[],
  alumni: ReadonlySet<Person>,
): Promise<readonly string[]> {
  const names = new Names(world.random('names'))
  const logins = new Logins()
  const chance = world.random('users')
  const given: string[] = []
  function* rows() {
    for (const person of people) {
      const { firstName, lastName, otherName } = names.next(person.campus.origin)
      const login = logins.next(firstName, lastName)
      given.push(login)
      const lastSeenAt = lastSeen(chance, person, world.now)
      yield {
        id: person.id,
        kind: person.kind,
        first_name: firstName,
        last_name: lastName,
        usual_first_name: chance.chance(0.08) ? otherName : null,
        ...contact(chance, person, login),
        ...holdings(chance, person),
        ...departure(person, alumni.has(person), world.now),
        pool_year: person.intake?.year ?? null,
        pool_month: person.intake?.month ?? null,
        last_seen_at: lastSeenAt,
        created_at: person.createdAt,
        updated_at: toSecond(lastSeenAt - chance.next() ** 2 * (lastSeenAt - person.createdAt)),
      }
    }
  }
  await world.insert('users', rows(), people.length)
  return given
}

function contact(chance: Random, { kind, campus }: Person, login: string) {
  const hasPhone = chance.chance(0.45)
  const number = String(chance.integer(0, 9999)).padStart(4, '0')
  return {
    login,
    email: `${login}@${kind === 'admin' ? '' : 'student.'}${campus.slug}.example`,
    phone: hasPhone ? campus.phonePrefix + number : null,
    phone_hidden: chance.chance(0.3) && hasPhone,
    image: chance.chance(0.9) ? drawingPath('users', login) : null,
  }
}

function holdings(chance: Random, { kind, core }: Person) {
  const points = Math.round((chance.next() + chance.next()) * 6)
  const wallet = Math.floor(chance.next() ** 2 * 120) * 5
  if (kind !== 'student') return { correction_point: 0, wallet: 0 }
  return { correction_point: core ? points : Math.min(points, 5), wallet: core ? wallet : 0 }
}

function departure({ presentUntil, core }: Person, isAlumni: boolean, now: number) {
  const erasedOn = presentUntil < now ? toDate(presentUntil + ERASED_AFTER) : null
  const alumnized_at = isAlumni ? (core?.endAt ?? null) : null
  return { alumnized_at, anonymize_date: erasedOn, data_erasure_date: erasedOn }
}

function lastSeen(chance: Random, { createdAt, presentUntil }: Person, now: number): number {
  const ago = chance.next() ** 3 * 20 * DAY
  const after = chance.next() ** 2 * 200 * DAY
  return toSecond(presentUntil < now ? Math.min(presentUntil + after, now) : Math.max(now - ago, createdAt))
}
