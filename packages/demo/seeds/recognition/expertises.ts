import { numbered } from '../campus-life/times.ts'
import type { Person } from '../people.ts'
import { openedAt } from '../school.ts'
import { toSecond } from '../time.ts'
import type { World } from '../world.ts'

const EXPERTISES = [
  ['C', 'c', 'languages'],
  ['JavaScript', 'javascript', 'languages'],
  ['Python', 'python', 'languages'],
  ['Rust', 'rust', 'languages'],
  ['Django', 'django', 'frameworks'],
  ['React', 'react', 'frameworks'],
  ['PostgreSQL', 'postgresql', 'databases'],
  ['SQLite', 'sqlite', 'databases'],
  ['Linux', 'linux', 'admin_sys'],
  ['Networks', 'networks', 'admin_sys'],
  ['Public speaking', 'public-speaking', 'other'],
  ['Drawing', 'drawing', 'other'],
] as const

const MAX_VALUE = 5

/** What the students of the core curriculum say that they know, better the longer they have been there. */
export async function seedExpertises(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('expertises')
  const opened = openedAt(world.now)
  await world.insert(
    'expertises',
    EXPERTISES.map(([name, slug, kind], index) => ({
      id: index + 1,
      name,
      slug,
      kind,
      created_at: opened,
      updated_at: opened,
    })),
  )
  const ids = EXPERTISES.map((_, index) => index + 1)
  const rows = numbered(
    people.flatMap(({ id, core }) => {
      if (!core || !chance.chance(0.6)) return []
      const until = core.endAt ?? world.now
      const max = Math.min(MAX_VALUE, 2 + Math.floor((until - core.beginAt) / (200 * 24 * 3_600_000)))
      return chance
        .shuffled(ids)
        .slice(0, chance.integer(1, 4))
        .map((expertise_id) => {
          const at = toSecond(chance.between(core.beginAt, until))
          const value = chance.integer(1, max)
          return {
            user_id: id,
            expertise_id,
            interested: chance.chance(0.5),
            value,
            contact_me: value > 2 && chance.chance(0.6),
            created_at: at,
            updated_at: at,
          }
        })
    }),
  )
  await world.insert('expertises_users', rows)
}
