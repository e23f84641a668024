import { numbered } from '../campus-life/times.ts'
import type { Person } from '../people.ts'
import type { Random } from '../random.ts'

import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const PEDAGOGIC_TEAM = 1
const TUTORS = 2
const GROUPS = ['Pedagogic team', 'Tutors', 'Student council', 'Exam watch', 'First aid', 'Robotics club']

/** Groups of staff and students. The first two groups have roles. */
export async function seedGroups(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('groups')
  const groups = GROUPS.map((name) => ({ name }))
  await world.insert('groups', groups)
  const staff = people
    .filter(({ kind }) => kind === 'admin')
    .map(({ id, createdAt }) => ({ group_id: PEDAGOGIC_TEAM, user_id: id, created_at: createdAt }))
  const students = GROUPS.slice(1).flatMap((_, index) => membersOf(chance, TUTORS + index, people, world.now))
  await world.insert('groups_users', numbered([...staff, ...students]))
  await world.derive(
    'roles_users',
    `insert into roles_users (user_id, role_id, created_at, updated_at)
     select g.user_id, r.id, g.created_at, g.created_at from groups_users g
     join roles r on r.name = case g.group_id when ${PEDAGOGIC_TEAM} then 'Basic Staff' when ${TUTORS} then 'Basic Tutor' end
     order by g.id`,
  )
}

function membersOf(chance: Random, group_id: number, people: readonly Person[], now: number) {
  const able = people.filter(({ core }) => core && core.endAt === undefined && now - core.beginAt > 60 * DAY)
  return chance
    .shuffled(able)
    .slice(0, chance.integer(4, 12))
    .map(({ id, core }) => {
      const created_at = toSecond(chance.between((core?.beginAt ?? now) + 30 * DAY, now))
      return { group_id, user_id: id, created_at }
    })
}
