import { numbered } from './campus-life/times.ts'
import type { Earnings } from './experience.ts'
import { levelOf } from './levels.ts'
import type { Person } from './people.ts'
import type { Random } from './random.ts'
import { CAMPUSES, CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Campuses and cursus of people, with the levels and skills that they have earned. */
export async function seedMemberships(world: World, people: readonly Person[], earnings: Earnings): Promise<void> {
  const campusUsers = planCampusUsers(world, people)
  await world.insert('campus_users', campusUsers)
  const cursusUsers = planCursusUsers(world, people, earnings)
  await world.insert('cursus_users', cursusUsers)
  await seedSkills(world, cursusUsers, earnings)
}

function planCampusUsers(world: World, people: readonly Person[]) {
  const chance = world.random('campus_users')
  return people.flatMap(({ id, campus, createdAt }) => {
    const primary = { user_id: id, campus_id: campus.id, is_primary: true, created_at: createdAt }
    if (!chance.chance(0.05)) return [primary]
    const others = CAMPUSES.filter((other) => other !== campus)
    return [primary, { ...primary, campus_id: chance.pick(others).id, is_primary: false }]
  })
}

type CursusUser = ReturnType<typeof planCursusUsers>[number]

function planCursusUsers(world: World, people: readonly Person[], earnings: Earnings) {
  const chance = world.random('cursus_users')
  const rows = people.flatMap((person) => cursusOf(chance, person, { earnings, now: world.now }))
  return numbered(
    rows.map((row) => {
      return { ...row, updated_at: Math.max(row.updated_at, earnings(row.user_id, row.cursus_id).lastAt) }
    }),
  )
}

type Dependencies = { readonly earnings: Earnings; readonly now: number }

function cursusOf(chance: Random, person: Person, { earnings, now }: Dependencies) {
  const { id, kind, createdAt, intake, core, trainingSince } = person
  const course = (cursus_id: number) => {
    const level = levelOf(cursus_id, sumOf(earnings(id, cursus_id).points))
    return { user_id: id, cursus_id, level, blackholed_at: null, grade: null, end_at: null, has_coalition: false }
  }
  const rows = []
  if (intake) {
    const { beginAt, endAt } = intake
    rows.push({ ...course(ENTRY_POOL), begin_at: beginAt, end_at: endAt, created_at: createdAt, updated_at: endAt })
  }
  if (core) {
    const createdAt = toSecond(core.beginAt - chance.between(1, 10) * DAY)
    const own = course(CORE)
    rows.push({
      ...own,
      begin_at: core.beginAt,
      end_at: core.endAt ?? null,
      blackholed_at: core.blackholedAt ?? null,
      grade: own.level < 2 ? 'Learner' : 'Cadet',
      has_coalition: true,
      created_at: createdAt,
      updated_at: core.endAt ?? toSecond(chance.between(Math.max(core.beginAt, now - 40 * DAY), now)),
    })
  }
  const since = kind === 'external' ? createdAt : trainingSince
  if (since !== undefined) {
    const times = { begin_at: since, created_at: since, updated_at: since }
    rows.push({ ...course(kind === 'external' ? DISCOVERY : DATA_ENGINEERING), ...times })
  }
  return rows
}

const sumOf = (earned: ReadonlyMap<number, number>) => [...earned.values()].reduce((sum, points) => sum + points, 0)

async function seedSkills(world: World, cursusUsers: readonly CursusUser[], earnings: Earnings): Promise<void> {
  const earned = ({ user_id, cursus_id }: CursusUser) => earnings(user_id, cursus_id).points
  const total = cursusUsers.reduce((sum, cursusUser) => sum + earned(cursusUser).size, 0)
  function* rows() {
    for (const cursusUser of cursusUsers) {
      for (const [skill_id, points] of earned(cursusUser)) {
        yield { cursus_user_id: cursusUser.id, skill_id, level: levelOf(cursusUser.cursus_id, points) }
      }
    }
  }
  await world.insert('cursus_users_skills', rows(), total)
}
