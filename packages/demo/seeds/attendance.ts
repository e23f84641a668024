import { defined } from '@campus/engine/base/defined'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES, type Campus } from './school.ts'
import { layOutSeats, type Seat } from './seats.ts'
import { HOUR, MINUTE } from './time.ts'

export const WINDOW_DAYS = 120
const SHARE_AT_ONCE = 0.2
const MEAN_SESSION_HOURS = 2.6
/** Ratio of the busiest hour of the week to the mean hour. */
const PEAK = 3
const MAX_ATTEMPTS = 12

/** The people and seats of one campus. The times are by index of the seat and by id of the person. */
export type Attendance = {
  readonly campus: Campus
  readonly seats: readonly Seat[]
  /** Everybody present in the window, the diligent several times. */
  readonly tickets: readonly Person[]
  /** People present in the whole window. */
  readonly regulars: readonly Person[]
  readonly seatsTakenUntil: Float64Array
  /** Starts of the locations that are still open. */
  readonly seatsReservedFrom: Float64Array
  readonly peopleTakenUntil: Float64Array
  readonly peopleReservedFrom: Float64Array
}

/** Returns the attendance of each campus with regulars. */
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
 * Seats a user from `beginAt` to some time before `now`. No user has two seats and no seat two users, unless there are far
 * too many locations for the users.
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
  return defined(regulars[findIndex(chance, regulars.length, (index) => isFree(defined(regulars[index])))])
}

const findSeat = (chance: Random, { seats, seatsTakenUntil, seatsReservedFrom }: Attendance, at: number): number =>
  findIndex(chance, seats.length, (index) => isBetween(at, seatsTakenUntil[index], seatsReservedFrom[index]))

/** Returns the first suitable index from a random one on, or the random one if none is suitable. */
function findIndex(chance: Random, length: number, isSuitable: (index: number) => boolean): number {
  const start = chance.integer(0, length - 1)
  for (let step = 0; step < length; step += 1) {
    if (isSuitable((start + step) % length)) return (start + step) % length
  }
  return start
}

const isBetween = (at: number, from = 0, until = Infinity): boolean => from <= at && at < until
