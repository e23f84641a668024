import { slugOf } from '@campus/engine/base/text/slugs'
import { numbered } from '../campus-life/times.ts'
import type { Person } from '../people.ts'

import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const EXPERTISES = [
  ['C', 'languages'],
  ['JavaScript', 'languages'],
  ['Python', 'languages'],
  ['Rust', 'languages'],
  ['Django', 'frameworks'],
  ['React', 'frameworks'],
  ['PostgreSQL', 'databases'],
  ['SQLite', 'databases'],
  ['Linux', 'admin_sys'],
  ['Networks', 'admin_sys'],
  ['Public speaking', 'other'],
  ['Drawing', 'other'],
] as const

const MAX_VALUE = 5

/** The expertises of students of the core curriculum. Their values grow with time. */
export async function seedExpertises(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('expertises')
  const expertises = EXPERTISES.map(([name, kind]) => ({ name, slug: slugOf(name), kind }))
  await world.insert('expertises', expertises)
  const ids = EXPERTISES.map((_, index) => index + 1)
  const rows = numbered(
    people.flatMap(({ id, core }) => {
      if (!core || !chance.chance(0.6)) return []
      const until = core.endAt ?? world.now
      const max = Math.min(MAX_VALUE, 2 + Math.floor((until - core.beginAt) / (200 * DAY)))
      return chance
        .shuffled(ids)
        .slice(0, chance.integer(1, 4))
        .map((expertise_id) => {
          const created_at = toSecond(chance.between(core.beginAt, until))
          const value = chance.integer(1, max)
          return {
            user_id: id,
            expertise_id,
            interested: chance.chance(0.5),
            value,
            contact_me: value > 2 && chance.chance(0.6),
            created_at,
          }
        })
    }),
  )
  await world.insert('expertises_users', rows)
}
