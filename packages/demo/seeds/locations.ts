import { defined } from '@campus/engine/base/defined'
import { type Attendance, planAttendance, type Session, sitDown, WINDOW_DAYS } from './attendance.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { livelinessAt } from './rhythm.ts'
import { DAY, HOUR, toSecond } from './time.ts'
import type { World } from './world.ts'

const OPEN_SHARE = 0.03
const MAX_OPEN = 5 * HOUR

type OpenSession = Omit<Session, 'endAt'> & { readonly endAt: null }

export async function seedLocations(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('locations')
  const attendances = planAttendance(chance, people, world.now - WINDOW_DAYS * DAY, world.locations)
  const total = attendances.length > 0 ? world.locations : 0
  const open = planOpen(chance, attendances, world.now, Math.min(Math.round(people.length * OPEN_SHARE), total))
  const closed = closedSessions(chance, attendances, world.now, total - open.length)
  await world.insert('locations', rows(merge(closed, open)), total)
}

function* rows(sessions: Iterable<Session | OpenSession>) {
  for (const { person, seat, beginAt, endAt } of sessions) {
    yield {
      user_id: person.id,
      campus_id: person.campus.id,
      begin_at: beginAt,
      end_at: endAt,
      updated_at: endAt ?? beginAt,
      primary: true,
      ...seat,
    }
  }
}

/** Plans open locations, each of another person at another seat. Campuses where it is busy now have more of them. */
function planOpen(chance: Random, attendances: readonly Attendance[], now: number, count: number): OpenSession[] {
  const queues = attendances.map(({ regulars, seats }) => ({
    people: chance.shuffled(regulars),
    seatIndexes: chance.shuffled(seats.map((_, index) => index)),
  }))
  const liveliness = attendances.map(({ campus, regulars }) => livelinessAt(campus.timeZone, now) * regulars.length)
  const sessions: OpenSession[] = []
  while (sessions.length < count) {
    const index = chance.weighted(liveliness)
    if (index < 0) break
    const attendance = defined(attendances[index])
    const person = queues[index]?.people.pop()
    const seatIndex = queues[index]?.seatIndexes.pop()
    if (!person || seatIndex === undefined) {
      liveliness[index] = 0
      continue
    }
    const beginAt = toSecond(now - chance.next() ** 1.5 * MAX_OPEN)
    attendance.peopleReservedFrom[person.id] = beginAt
    attendance.seatsReservedFrom[seatIndex] = beginAt
    sessions.push({ person, seat: defined(attendance.seats[seatIndex]), beginAt, endAt: null })
  }
  return sessions.sort((one, other) => one.beginAt - other.beginAt)
}

/** Yields sessions hour by hour, to keep only those of one hour in memory. */
function* closedSessions(
  chance: Random,
  attendances: readonly Attendance[],
  now: number,
  count: number,
): Generator<Session> {
  const hours = Array.from({ length: WINDOW_DAYS * 24 }, (_, index) => now - (WINDOW_DAYS * 24 - index) * HOUR)
  const cells = hours.flatMap((hour) =>
    attendances.map((attendance) => {
      const weight = livelinessAt(attendance.campus.timeZone, hour) * attendance.regulars.length
      return { hour, attendance, weight }
    }),
  )
  const whole = cells.reduce((sum, { weight }) => sum + weight, 0)
  let weightSoFar = 0
  let countSoFar = 0
  let arrivals: { beginAt: number; attendance: Attendance }[] = []
  for (const [index, { hour, attendance, weight }] of cells.entries()) {
    weightSoFar += weight
    const due = index === cells.length - 1 ? count : Math.round((weightSoFar / whole) * count)
    for (; countSoFar < due; countSoFar += 1) {
      arrivals.push({ beginAt: toSecond(hour + chance.next() * HOUR), attendance })
    }
    if (cells[index + 1]?.hour === hour) continue
    arrivals.sort((one, other) => one.beginAt - other.beginAt)
    for (const arrival of arrivals) yield sitDown(chance, arrival.attendance, arrival.beginAt, now)
    arrivals = []
  }
}

/** Merges two lists that are in the order of `beginAt`. */
function* merge(closed: Iterable<Session>, open: readonly OpenSession[]): Generator<Session | OpenSession> {
  let next = 0
  for (const session of closed) {
    for (let waiting = open[next]; waiting && waiting.beginAt <= session.beginAt; waiting = open[next]) {
      yield waiting
      next += 1
    }
    yield session
  }
  yield* open.slice(next)
}
