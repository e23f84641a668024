import { numbered, TIMES } from '../campus-life/times.ts'
import type { Person } from '../people.ts'
import { DAY, toSecond } from '../time.ts'
import type { World } from '../world.ts'

const COLUMNS = { id: 'integer', user_id: 'integer', godfather_id: 'integer', ongoing: 'boolean', ...TIMES } as const

const SHARE = 0.4
const OLDER_BY = 150 * DAY

/** Students who begin the core curriculum, with one of their campus who has been there for a while to look after them. */
export async function seedPatronages(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('patronages')
  const rows = numbered(
    people.flatMap(({ id, campus, core }) => {
      if (!core || !chance.chance(SHARE)) return []
      const at = toSecond(core.beginAt + chance.between(1, 20) * DAY)
      if (at > world.now) return []
      const able = people.filter(
        (other) =>
          other.campus === campus && other.core && other.core.beginAt < at - OLDER_BY && other.presentUntil > at + DAY,
      )
      if (able.length === 0) return []
      const godfather = chance.pick(able)
      const until = Math.min(core.endAt ?? Infinity, godfather.core?.endAt ?? Infinity)
      const ongoing = until === Infinity
      return { user_id: id, godfather_id: godfather.id, ongoing, created_at: at, updated_at: ongoing ? at : until }
    }),
  )
  await world.insert('patronages', COLUMNS, rows.length, rows)
}
