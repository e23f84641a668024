import { type Intake, intakesOf } from './intakes.ts'
import type { Random } from './random.ts'
import { CAMPUSES, type Campus, openedAt } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** The life of one person at the school, from which the rows of every table follow. */
export type Person = {
  readonly id: number
  readonly kind: 'student' | 'admin' | 'external'
  readonly campus: Campus
  readonly createdAt: number
  /** The entry pool of a student. */
  readonly intake: Intake | undefined
  /** The time in the core curriculum of a student who passed the entry pool. */
  readonly core: Core | undefined
  readonly alumnizedAt: number | undefined
  /** When they were first and last to be met at the campus; the end is Infinity while they still come. */
  readonly presentFrom: number
  readonly presentUntil: number
}

type Core = { readonly beginAt: number; readonly endAt: number | undefined; readonly blackholedAt: number | undefined }
type Life = Omit<Person, 'id'>

const ADMIN_SHARE = 0.01
const EXTERNAL_SHARE = 0.02
const PASS_RATE = 0.74

/** Everybody, in the order in which they joined. */
export function planPeople({ users, now, random }: World): readonly Person[] {
  const chance = random('people')
  const intakes = CAMPUSES.flatMap((campus) => intakesOf(campus, now))
  const weights = intakes.map(
    ({ campus, year }) => campus.share * (1 + 0.15 * (Number(year) - Number(intakes[0]?.year))),
  )
  const admins = Math.ceil(users * ADMIN_SHARE)
  const externals = Math.round(users * EXTERNAL_SHARE)
  const lives = Array.from({ length: users }, (_, index) => {
    if (index < admins) return planAdmin(chance, CAMPUSES[index % CAMPUSES.length] as Campus, now)
    if (index < admins + externals) return planExternal(chance, now)
    return planStudent(chance, intakes[chance.weighted(weights)] as Intake, now)
  })
  return lives.sort((one, other) => one.createdAt - other.createdAt).map((life, index) => ({ id: index + 1, ...life }))
}

const NOT_A_STUDENT = { intake: undefined, core: undefined, alumnizedAt: undefined, presentUntil: Infinity }

/** The staff was there before the first student. */
function planAdmin(chance: Random, campus: Campus, now: number): Life {
  const createdAt = toSecond(openedAt(now) + chance.between(1, 30) * DAY)
  return { kind: 'admin', campus, createdAt, presentFrom: createdAt, ...NOT_A_STUDENT }
}

function planExternal(chance: Random, now: number): Life {
  const campus = CAMPUSES[chance.weighted(CAMPUSES.map(({ share }) => share))] as Campus
  const createdAt = toSecond(chance.between(openedAt(now) + 200 * DAY, now - 7 * DAY))
  return { kind: 'external', campus, createdAt, presentFrom: createdAt, ...NOT_A_STUDENT }
}

function planStudent(chance: Random, intake: Intake, now: number): Life {
  const createdAt = toSecond(intake.beginAt - chance.between(10, 75) * DAY)
  const isLate = chance.chance(0.1)
  const hasPassed = chance.chance(PASS_RATE)
  const coreBeginAt = intake.coreBeginAt + (isLate ? 28 * DAY : 0)
  const core = hasPassed && coreBeginAt < now ? planCore(chance, coreBeginAt, now) : undefined
  const isAlumni = core?.endAt !== undefined && core.blackholedAt === undefined
  return {
    kind: 'student',
    campus: intake.campus,
    createdAt,
    intake,
    core,
    alumnizedAt: isAlumni ? core.endAt : undefined,
    presentFrom: intake.beginAt,
    presentUntil: hasPassed ? (core?.endAt ?? Infinity) : intake.endAt,
  }
}

/** Some are absorbed by the black hole, some finish after two and a half years or more, the others are on their way. */
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
