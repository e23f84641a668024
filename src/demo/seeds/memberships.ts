import type { RowOf } from './bulk-insert.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES, CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL, SKILLS } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

const CAMPUS_USERS = {
  id: 'integer',
  user_id: 'integer',
  campus_id: 'integer',
  is_primary: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const CURSUS_USERS = {
  id: 'integer',
  user_id: 'integer',
  cursus_id: 'integer',
  begin_at: 'timestamptz',
  end_at: 'timestamptz',
  blackholed_at: 'timestamptz',
  grade: 'text',
  level: 'double precision',
  has_coalition: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const CURSUS_USERS_SKILLS = {
  id: 'integer',
  cursus_user_id: 'integer',
  skill_id: 'integer',
  level: 'double precision',
} as const

type CursusUser = RowOf<typeof CURSUS_USERS>

/** What people belong to: their campuses, their cursus, and the skills that they have gained there. */
export async function seedMemberships(world: World, people: readonly Person[]): Promise<void> {
  const campusUsers = planCampusUsers(world, people)
  await world.insert('campus_users', CAMPUS_USERS, campusUsers.length, campusUsers)
  const cursusUsers = planCursusUsers(world, people)
  await world.insert('cursus_users', CURSUS_USERS, cursusUsers.length, cursusUsers)
  await seedSkills(world, cursusUsers)
}

function planCampusUsers(world: World, people: readonly Person[]) {
  const chance = world.random('campus_users')
  return people
    .flatMap((person) => {
      const times = { created_at: person.createdAt, updated_at: person.createdAt }
      const primary = { user_id: person.id, campus_id: person.campus.id, is_primary: true, ...times }
      if (!chance.chance(0.05)) return [primary]
      const others = CAMPUSES.filter(({ id }) => id !== person.campus.id)
      return [primary, { ...primary, campus_id: chance.pick(others).id, is_primary: false }]
    })
    .map((row, index) => ({ id: index + 1, ...row }))
}

function planCursusUsers(world: World, people: readonly Person[]): CursusUser[] {
  const chance = world.random('cursus_users')
  return people
    .flatMap((person) => cursusOf(chance, person, world.now))
    .sort((one, other) => one.created_at - other.created_at)
    .map((row, index) => ({ id: index + 1, ...row }))
}

function cursusOf(chance: Random, { id, kind, createdAt, intake, core, presentUntil }: Person, now: number) {
  const common = { user_id: id, blackholed_at: null, grade: null, has_coalition: false }
  const rows = []
  if (intake) {
    const level = presentUntil > intake.endAt ? chance.between(3.5, 12) : chance.between(0, 6)
    const { beginAt, endAt } = intake
    const times = { begin_at: beginAt, end_at: endAt, created_at: createdAt, updated_at: endAt }
    rows.push({ ...common, ...times, cursus_id: ENTRY_POOL, level: toHundredth(level), has_coalition: true })
  }
  if (core) {
    const level = coreLevel(chance, (core.endAt ?? now) - core.beginAt)
    const createdAt = toSecond(core.beginAt - chance.between(1, 10) * DAY)
    rows.push({
      ...common,
      cursus_id: CORE,
      begin_at: core.beginAt,
      end_at: core.endAt ?? null,
      blackholed_at: core.blackholedAt ?? null,
      grade: level < 2 ? 'Learner' : 'Cadet',
      level,
      has_coalition: true,
      created_at: createdAt,
      updated_at: core.endAt ?? toSecond(chance.between(Math.max(core.beginAt, now - 40 * DAY), now)),
    })
  }
  const isInTraining = core?.endAt === undefined && now - (core?.beginAt ?? now) > 400 * DAY && chance.chance(0.08)
  if (kind === 'external' || isInTraining) {
    const beginAt = isInTraining ? toSecond(now - chance.between(5, 300) * DAY) : createdAt
    const times = { begin_at: beginAt, end_at: null, created_at: beginAt, updated_at: beginAt }
    const level = toHundredth(chance.between(0, 4))
    rows.push({ ...common, ...times, cursus_id: kind === 'external' ? DISCOVERY : DATA_ENGINEERING, level })
  }
  return rows
}

/** Some are twice as quick as others, and each level takes longer than the one before. */
function coreLevel(chance: Random, time: number): number {
  const months = time / (30 * DAY)
  return toHundredth(Math.min(21, chance.between(0.35, 1.1) * months ** 0.8))
}

const toHundredth = (value: number): number => Math.round(value * 100) / 100

async function seedSkills(world: World, cursusUsers: readonly CursusUser[]): Promise<void> {
  const chance = world.random('cursus_users_skills')
  const skillCount = ({ cursus_id }: CursusUser) => (cursus_id === CORE ? 6 : cursus_id === ENTRY_POOL ? 3 : 0)
  const total = cursusUsers.reduce((sum, cursusUser) => sum + skillCount(cursusUser), 0)
  function* rows() {
    let id = 0
    for (const cursusUser of cursusUsers) {
      // Every second or third skill from a random one on: distinct without keeping a list.
      const first = chance.integer(0, SKILLS.length - 1)
      for (let nth = 0; nth < skillCount(cursusUser); nth += 1) {
        id += 1
        const skill_id = ((first + nth * 5) % SKILLS.length) + 1
        const level = toHundredth((cursusUser.level ?? 0) * chance.between(0.2, 0.9))
        yield { id, cursus_user_id: cursusUser.id, skill_id, level }
      }
    }
  }
  await world.insert('cursus_users_skills', CURSUS_USERS_SKILLS, total, rows())
}
