import { defined } from '@campus/engine/base/defined'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES, type Campus } from './school.ts'
import { layOutSeats, type Seat } from './seats.ts'
import { HOUR, MINUTE } from './time.ts'

/** How far back attendance goes. */
export const WINDOW_DAYS = 120
const SHARE_AT_ONCE = 0.2
const MEAN_SESSION_HOURS = 2.6
// The busiest hour of the week has three times as many people in it as the mean hour.
const PEAK = 3
const MAX_ATTEMPTS = 12

/** Who comes to one campus, where they may sit, and until when each person and each seat is taken. */
export type Attendance = {
  readonly campus: Campus
  readonly seats: readonly Seat[]
  /** Everybody to be met in the window, the diligent several times. */
  readonly tickets: readonly Person[]
  /** Those who are there from the window's first day to its last. */
  readonly regulars: readonly Person[]
  readonly seatsTakenUntil: Float64Array
  /** From when on a seat, or a person, is taken by a location that is still open. */
  readonly seatsReservedFrom: Float64Array
  readonly peopleTakenUntil: Float64Array
  readonly peopleReservedFrom: Float64Array
}

/** The attendance of each campus that has regulars. */
export function planAttendance(
  chance: Random,
  people: readonly Person[],
  windowBegin: number,
  locations: number,
): readonly Attendance[] {
  const peopleTakenUntil = new Float64Array(people.length + 1)
  const peopleReservedFrom = new Float64Array(people.length + 1).fill(Infinity)
  const peak = (locations * MEAN_SESSION_HOURS * HOUR * PEAK) / (WINDOW_DAYS * 24 * HOUR)
  return CAMPUSES.map((campus) => {
    const present = people.filter((person) => person.campus === campus && person.presentUntil > windowBegin)
    const regulars = present.filter((person) => person.presentFrom < windowBegin && person.presentUntil === Infinity)
    const seats = layOutSeats(Math.max(present.length * SHARE_AT_ONCE, peak * campus.share * 1.5))
    return {
      campus,
      seats,
      regulars,
      tickets: present.flatMap((person) =>
        Array<Person>(person.kind === 'student' ? (person.isGuide ? 7 : chance.integer(1, 7)) : 1).fill(person),
      ),
      seatsTakenUntil: new Float64Array(seats.length),
      seatsReservedFrom: new Float64Array(seats.length).fill(Infinity),
      peopleTakenUntil,
      peopleReservedFrom,
    }
  }).filter(({ regulars }) => regulars.length > 0)
}

export type Session = { readonly person: Person; readonly seat: Seat; readonly beginAt: number; readonly endAt: number }

/**
 * A user takes a seat at `beginAt` and leaves it before `now`. No user has two seats and no seat two users, unless far
 * more locations were asked for than so many users can have.
 */
export function sitDown(chance: Random, attendance: Attendance, beginAt: number, now: number): Session {
  const { seats, seatsTakenUntil, seatsReservedFrom, peopleTakenUntil, peopleReservedFrom } = attendance
  const person = findPerson(chance, attendance, beginAt)
  const seatIndex = findSeat(chance, attendance, beginAt)
  const length = 15 * MINUTE + 6 * HOUR * chance.next() * chance.between(0.5, 1)
  const limit = Math.min(defined(seatsReservedFrom[seatIndex]), defined(peopleReservedFrom[person.id]), now)
  const maxDuration = Math.max(limit - beginAt, 0)
  const endAt = beginAt + Math.floor((length < maxDuration ? length : maxDuration * chance.next()) / 1000) * 1000
  seatsTakenUntil[seatIndex] = endAt
  peopleTakenUntil[person.id] = endAt
  return { person, seat: defined(seats[seatIndex]), beginAt, endAt }
}

function findPerson(chance: Random, attendance: Attendance, at: number): Person {
  const { tickets, regulars, peopleTakenUntil, peopleReservedFrom } = attendance
  const isFree = ({ id }: Person) => isBetween(at, peopleTakenUntil[id], peopleReservedFrom[id])
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
    const person = chance.pick(tickets)
    if (isBetween(at, person.presentFrom, person.presentUntil) && isFree(person)) return person
  }
  return defined(regulars[nextIndex(chance, regulars.length, (index) => isFree(defined(regulars[index])))])
}

function findSeat(chance: Random, { seats, seatsTakenUntil, seatsReservedFrom }: Attendance, at: number): number {
  return nextIndex(chance, seats.length, (index) => isBetween(at, seatsTakenUntil[index], seatsReservedFrom[index]))
}

/** The first place that will do, from a random one on; the random one when none does. */
function nextIndex(chance: Random, length: number, willDo: (index: number) => boolean): number {
  const start = chance.integer(0, length - 1)
  for (let step = 0; step < length; step += 1) {
    if (willDo((start + step) % length)) return (start + step) % length
  }
  return start
}

const isBetween = (at: number, from = 0, until = Infinity): boolean => from <= at && at < until
