import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { type Intake, intakesOf } from './intakes.ts'
import type { Random } from './random.ts'
import { CAMPUSES, type Campus } from './school.ts'
import { DAY, openedAt, toSecond } from './time.ts'
import type { World } from './world.ts'

/** The life of one person at the school, from which the rows of every table follow. */
export type Person = {
  readonly id: number
  readonly kind: 'student' | 'admin' | 'external'
  readonly campus: Campus
  readonly createdAt: number
  readonly intake: Intake | undefined
  /** The core curriculum of a student who passed the entry pool. */
  readonly core: Core | undefined
  /** When the student began the training in data engineering. */
  readonly trainingSince: number | undefined
  /** Whether newcomers sign in as this student, who has some of everything under way. */
  readonly isGuide: boolean
  /** The time at the campus. `presentUntil` is Infinity while the person still comes. */
  readonly presentFrom: number
  readonly presentUntil: number
}

type Core = { readonly beginAt: number; readonly endAt: number | undefined; readonly blackholedAt: number | undefined }

/** Whether a student has left the core curriculum other than by the black hole. */
export const isThrough = ({ core }: Person): boolean => core?.endAt !== undefined && core.blackholedAt === undefined

type Life = Omit<Person, 'id'>

const ADMIN_SHARE = 0.01
const EXTERNAL_SHARE = 0.02
const PASS_RATE = 0.74

/** Plans all people, in the order of their creation. */
export function planPeople({ users, now, random }: World): readonly Person[] {
  const chance = random('people')
  const intakes = CAMPUSES.flatMap((campus) => intakesOf(campus, now))
  const weights = intakes.map(
    ({ campus, year }) => campus.share * (1 + 0.15 * (Number(year) - Number(intakes[0]?.year))),
  )
  const admins = Math.ceil(users * ADMIN_SHARE)
  const externals = Math.round(users * EXTERNAL_SHARE)
  const lives = Array.from({ length: users }, (_, index) => {
    if (index < admins) return planAdmin(chance, defined(CAMPUSES[index % CAMPUSES.length]), now)
    if (index < admins + externals) return planExternal(chance, now)
    if (index === users - 1) return planGuide(intakes, now)
    return planStudent(chance, defined(intakes[chance.weighted(weights)]), now)
  })
  return withIds(lives.sort((one, other) => one.createdAt - other.createdAt))
}

const USUAL = { trainingSince: undefined, isGuide: false }
const NOT_A_STUDENT = { ...USUAL, intake: undefined, core: undefined, presentUntil: Infinity }

function planAdmin(chance: Random, campus: Campus, now: number): Life {
  const createdAt = toSecond(openedAt(now) + chance.between(1, 30) * DAY)
  return { kind: 'admin', campus, createdAt, presentFrom: createdAt, ...NOT_A_STUDENT }
}

function planExternal(chance: Random, now: number): Life {
  const campus = defined(CAMPUSES[chance.weighted(CAMPUSES.map(({ share }) => share))])
  const createdAt = toSecond(chance.between(openedAt(now) + 200 * DAY, now - 7 * DAY))
  return { kind: 'external', campus, createdAt, presentFrom: createdAt, ...NOT_A_STUDENT }
}

function planStudent(chance: Random, intake: Intake, now: number): Life {
  const createdAt = toSecond(intake.beginAt - chance.between(10, 75) * DAY)
  const isLate = chance.chance(0.1)
  const hasPassed = chance.chance(PASS_RATE)
  const coreBeginAt = intake.coreBeginAt + (isLate ? 28 * DAY : 0)
  const core = hasPassed && coreBeginAt < now ? planCore(chance, coreBeginAt, now) : undefined
  const isInTraining =
    core !== undefined && core.endAt === undefined && now - core.beginAt > 400 * DAY && chance.chance(0.08)
  return {
    ...USUAL,
    kind: 'student',
    campus: intake.campus,
    createdAt,
    intake,
    core,
    trainingSince: isInTraining ? toSecond(now - chance.between(5, 300) * DAY) : undefined,
    presentFrom: intake.beginAt,
    presentUntil: hasPassed ? (core?.endAt ?? Infinity) : intake.endAt,
  }
}

/** Time of the guide in the core curriculum, and the time left before the black hole. */
const GUIDE_DAYS = 330
const GUIDE_HAS_LEFT_DAYS = 120

function planGuide(intakes: readonly Intake[], now: number): Life {
  const distance = ({ coreBeginAt }: Intake) => Math.abs(now - GUIDE_DAYS * DAY - coreBeginAt)
  const own = intakes.filter(({ campus, coreBeginAt }) => campus === CAMPUSES[0] && coreBeginAt < now)
  const intake = own.reduce((best, one) => (distance(one) < distance(best) ? one : best))
  const createdAt = toSecond(intake.beginAt - 40 * DAY)
  const blackholedAt = toSecond(now) + GUIDE_HAS_LEFT_DAYS * DAY
  return {
    ...USUAL,
    isGuide: true,
    kind: 'student',
    campus: intake.campus,
    createdAt,
    intake,
    core: { beginAt: intake.coreBeginAt, endAt: undefined, blackholedAt },
    presentFrom: intake.beginAt,
    presentUntil: Infinity,
  }
}

function planCore(chance: Random, beginAt: number, now: number): Core {
  const age = now - beginAt
  const absorbedAt = toSecond(beginAt + chance.between(60, 700) * DAY)
  const finishedAt = toSecond(beginAt + chance.between(880, 1500) * DAY)
  const daysLeft = chance.integer(5, 420)
  if (chance.chance(0.28) && absorbedAt < now) return { beginAt, endAt: absorbedAt, blackholedAt: absorbedAt }
  if (finishedAt < now) return { beginAt, endAt: finishedAt, blackholedAt: undefined }
  const isSafe = age > 540 * DAY
  return { beginAt, endAt: undefined, blackholedAt: isSafe ? undefined : beginAt + (540 + daysLeft) * DAY }
}
