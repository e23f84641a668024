import { defined } from '@campus/engine/base/defined'
import { withIds } from './bulk-insert.ts'
import { Correctors } from './correctors.ts'
import { COMMON_CORE, isNeeded, PROJECTS, type Project } from './curriculum.ts'
import { type Evaluation, evaluate } from './evaluations.ts'
import { isThrough, type Person } from './people.ts'
import type { Random } from './random.ts'
import { CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL } from './school.ts'
import { type ProjectSession, sessionOf } from './sessions.ts'
import { DAY, HOUR, toSecond } from './time.ts'
import type { World } from './world.ts'

export type Team = {
  readonly members: readonly Person[]
  readonly session: ProjectSession
  /** Number of earlier attempts. */
  readonly occurrence: number
  readonly createdAt: number
  readonly lockedAt: number | null
  readonly closedAt: number | null
  readonly mark: number | null
  readonly validated: boolean | null
  readonly markedAt: number | null
  readonly evaluations: readonly Evaluation[]
}

export type NumberedTeam = Team & { readonly id: number; readonly updatedAt: number }

/** The projects of a person in a cursus. */
type Path = {
  readonly person: Person
  readonly until: number
  /** Whether the last team may still be open. */
  readonly isActive: boolean
  /** Whether the second attempt at a project surely validates. */
  readonly isSure: boolean
  readonly projects: ReadonlySet<Project>
  readonly last: Project | undefined
  freeFrom: number
  /** Whether each project needs the projects before. */
  readonly isOrdered: boolean
  /** Time between projects. */
  readonly pause: number
  hasStopped: boolean
}

/** Plans every team of the school, oldest first. */
export function planTeams(world: World, people: readonly Person[]): readonly NumberedTeam[] {
  const chance = world.random('teams')
  const correctors = new Correctors(world.random('correctors'), people)
  const paths = people.flatMap((person) => [
    ...poolPath(chance, person, world.now),
    ...corePath(chance, person, world.now),
    ...trainingPath(chance, person, world.now),
    ...guestPath(chance, person, world.now),
  ])
  const teams: Team[] = []
  for (const project of PROJECTS) {
    const waiting = paths.filter(({ projects }) => projects.has(project))
    for (const group of groupsOf(chance, project, waiting)) {
      teams.push(...planAttempts(chance, { project, group, correctors, now: world.now }))
    }
  }
  const guides = paths.filter(
    ({ person, projects, hasStopped }) => person.isGuide && projects.has(FIRST) && !hasStopped,
  )
  teams.push(...guides.flatMap(({ person }) => planGuide(chance, person, { correctors, now: world.now })))
  return withIds(
    teams
      .sort((one, other) => one.createdAt - other.createdAt)
      .map((team) => ({ ...team, updatedAt: team.markedAt ?? team.closedAt ?? team.lockedAt ?? team.createdAt })),
  )
}

const evaluatedProjects = (cursus: number) =>
  PROJECTS.filter((project) => project.cursus === cursus && project.corrections > 0)
const POOL = evaluatedProjects(ENTRY_POOL)
const POOL_ALONE = POOL.filter(({ people, days }) => people === 1 && days < 4)
const DISCOVERIES = evaluatedProjects(DISCOVERY)
const CURRICULUM = evaluatedProjects(CORE)
const TRAINING = evaluatedProjects(DATA_ENGINEERING)
const FIRST = defined(CURRICULUM[0])

/** A few projects of the entry pool. Students who were accepted have validated at least one. */
function poolPath(chance: Random, person: Person, now: number): Path[] {
  const isTakenOn = person.intake !== undefined && person.presentUntil > person.intake.endAt
  const isBeginning = chance.chance(0.2)
  if (!person.intake || (!isTakenOn && !isBeginning)) return []
  const { beginAt, endAt } = person.intake
  const projects = new Set([
    chance.pick(isTakenOn ? POOL_ALONE : POOL),
    ...(chance.chance(0.1) ? [chance.pick(POOL)] : []),
  ])
  const until = Math.min(endAt, now)
  return [pathOf(person, projects, { beginAt, until, isActive: false, isSure: isTakenOn, isOrdered: false })]
}

/** The core curriculum, as far as the time of the person allows. Projects that no other project needs are optional. */
function corePath(chance: Random, person: Person, now: number): Path[] {
  if (!person.core) return []
  const { beginAt, endAt } = person.core
  if (person.isGuide) {
    const span = { beginAt, until: now - GUIDE_IS_AT_WORK, isActive: false, isSure: true, isOrdered: true }
    return [pathOf(person, new Set(CURRICULUM.slice(0, GUIDE_HAS_DONE)), span)]
  }
  const until = Math.min(endAt ?? now, now)
  const months = (until - beginAt) / (30 * DAY)
  const chosen = CURRICULUM.filter((project) => isNeeded(project) || project.parent !== null || chance.chance(0.45))
  const count = Math.max(1, Math.round(chance.between(0.25, 1) * (months / 12) ** 1.9))
  const isSure = isThrough(person)
  const projects = new Set(isSure ? chosen.filter((project) => COMMON_CORE.includes(project)) : chosen.slice(0, count))
  return [pathOf(person, projects, { beginAt, until, isActive: endAt === undefined, isSure, isOrdered: true })]
}

function trainingPath(chance: Random, person: Person, now: number): Path[] {
  if (person.trainingSince === undefined) return []
  const projects = new Set(TRAINING.slice(0, chance.integer(1, TRAINING.length)))
  const span = { beginAt: person.trainingSince, until: now, isActive: true, isSure: false, isOrdered: true }
  return [pathOf(person, projects, span)]
}

function guestPath(chance: Random, person: Person, now: number): Path[] {
  if (person.kind !== 'external') return []
  const projects = new Set(DISCOVERIES.slice(0, chance.integer(1, 2)))
  const span = { beginAt: person.createdAt, until: now, isActive: true, isSure: false, isOrdered: true }
  return [pathOf(person, projects, span)]
}

type Span = Pick<Path, 'until' | 'isActive' | 'isSure' | 'isOrdered'> & { readonly beginAt: number }

function pathOf(person: Person, projects: ReadonlySet<Project>, { beginAt, ...span }: Span): Path {
  const work = [...projects].reduce((sum, { days }) => sum + (days + 4) * DAY, 0)
  return {
    ...span,
    person,
    projects,
    freeFrom: beginAt,
    hasStopped: false,
    last: [...projects].at(-1),
    pause: Math.max(0, span.until - beginAt - work * 1.4) / (projects.size + 1),
  }
}

/** Groups people of one campus who can begin the project at about the same time. */
function groupsOf(chance: Random, project: Project, waiting: readonly Path[]): Path[][] {
  const groups: Path[][] = []
  const ready = waiting.filter((path) => !path.hasStopped).sort((one, other) => one.freeFrom - other.freeFrom)
  const open = new Map<number, Path[]>()
  for (const path of ready) {
    const campusId = path.person.campus.id
    const max = sessionOf(project, campusId).people
    const group = open.get(campusId)
    const begin = Math.max(path.freeFrom, ...(group ?? []).map(({ freeFrom }) => freeFrom))
    const fits = group?.every(
      (mate) =>
        Math.min(mate.until, path.until) - begin > 1.6 * project.days * DAY && begin - mate.freeFrom < 150 * DAY,
    )
    if (group && fits && group.length < max && chance.chance(0.85)) group.push(path)
    else {
      const fresh = [path]
      groups.push(fresh)
      open.set(campusId, fresh)
    }
  }
  return groups
}

type Planning = { readonly correctors: Correctors; readonly now: number }
type AttemptPlan = Planning & { readonly project: Project; readonly group: readonly Path[] }

const MAX_ATTEMPTS = 3

/** Plans attempts until the group validates, gives up, or has no time left. */
function planAttempts(chance: Random, { project, group, correctors, now }: AttemptPlan): Team[] {
  const teams: Team[] = []
  const members = group.map(({ person }) => person)
  const session = sessionOf(project, defined(members[0]).campus.id)
  for (let occurrence = 0; occurrence < MAX_ATTEMPTS; occurrence += 1) {
    const until = Math.min(...group.map((path) => path.until))
    const createdAt = toSecond(
      Math.max(...group.map((path) => path.freeFrom + path.pause * chance.between(0.4, 1.1))) +
        chance.between(1, 30) * HOUR,
    )
    const common = { members, session, occurrence }
    const isLast = group.every((path) => path.isActive && path.last === project)
    const current =
      isLast && chance.chance(0.6) ? planOpen(chance, { ...common, now, correctors }, createdAt) : undefined
    if (current) return [...teams, current]
    const days = project.days * chance.between(0.5, occurrence === 0 ? 1.3 : 0.7)
    const closedAt = toSecond(createdAt + days * DAY)
    if (closedAt + 3 * DAY > until) break
    const lockedAt = toSecond(createdAt + chance.next() ** 2 * Math.min(DAY, days * HOUR))
    const team = { ...common, createdAt, lockedAt, closedAt }
    const isSure = group.some((path) => path.isSure)
    // Students of the entry pool had no time for a second attempt.
    const isGood = isSure && (occurrence > 0 || project.cursus === ENTRY_POOL)
    const outcome = evaluate(chance, correctors, team, { isFinished: true, isGood, now })
    teams.push({ ...team, ...outcome })
    for (const path of group) path.freeFrom = outcome.markedAt ?? closedAt
    if (outcome.validated) return teams
    if (chance.chance(0.1) && !isSure) break
  }
  for (const path of group) path.hasStopped = path.isOrdered
  return teams
}

type Begun = Planning & Pick<Team, 'members' | 'session' | 'occurrence'>

const UNMARKED = { mark: null, validated: null, markedAt: null, evaluations: [] } as const

/** Plans a team that is being formed, at work, or waiting for evaluations. Returns undefined if it would begin before `earliest`. */
function planOpen(chance: Random, { now, correctors, ...begun }: Begun, earliest: number): Team | undefined {
  const { days } = begun.session.project
  const createdAt = toSecond(now - chance.between(0.3, 1.2) * days * DAY)
  if (createdAt < earliest) return undefined
  const kind = chance.weighted([0.2, 0.5, 0.3])
  if (kind === 0) return { ...begun, createdAt, lockedAt: null, closedAt: null, ...UNMARKED }
  const lockedAt = toSecond(createdAt + chance.next() * 3 * HOUR)
  if (kind === 1) return { ...begun, createdAt, lockedAt, closedAt: null, ...UNMARKED }
  const closedAt = toSecond(Math.max(lockedAt, now - chance.between(0.05, 2) * DAY))
  const team = { ...begun, createdAt, lockedAt, closedAt }
  return { ...team, ...evaluate(chance, correctors, team, { isFinished: false, now }) }
}

/** Number of projects that the guide has done. The next two require no others. */
const GUIDE_HAS_DONE = 6
const GUIDE_IS_AT_WORK = 16 * DAY

/** Plans a team of the guide that is at work, and a team that waits for its last evaluation. */
function planGuide(chance: Random, person: Person, { correctors, now }: Planning): Team[] {
  const [working, waiting] = [defined(CURRICULUM[GUIDE_HAS_DONE]), defined(CURRICULUM[GUIDE_HAS_DONE + 1])]
  const begun = (project: Project, daysAgo: number) => {
    const createdAt = toSecond(now - daysAgo * DAY)
    const session = sessionOf(project, person.campus.id)
    return { members: [person], session, occurrence: 0, createdAt, lockedAt: createdAt + HOUR }
  }
  const closed = { ...begun(waiting, 13), closedAt: toSecond(now - 1.3 * DAY) }
  return [
    { ...begun(working, 5), closedAt: null, ...UNMARKED },
    { ...closed, ...evaluate(chance, correctors, closed, { isFinished: false, isGood: true, lacksOne: true, now }) },
  ]
}
