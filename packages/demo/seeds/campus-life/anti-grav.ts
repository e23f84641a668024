import type { Person } from '../people.ts'
import { DAY, toDate, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered } from './times.ts'

const UNITS = ['Internship', 'Illness', 'Parenthood', 'Exchange with another campus']

/** Pauses that keep students from the black hole. Some still run. */
export async function seedAntiGrav(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('anti_grav_units')
  const units = UNITS.map((name) => ({ name }))
  await world.insert('anti_grav_units', units)
  const paused = people.filter(({ core }) => core && core.endAt === undefined && chance.chance(0.06))
  const rows = paused.map(({ id, createdAt, core }) => {
    const begin = toSecond(chance.between(core?.beginAt ?? createdAt, world.now))
    const expected = begin + chance.pick([30, 60, 90, 180]) * DAY
    return {
      user_id: id,
      anti_grav_unit_id: chance.integer(1, UNITS.length),
      begin_date: toDate(begin),
      expected_end_date: toDate(expected),
      end_date: expected < world.now ? toDate(expected) : null,
      reason: null,
      is_free: chance.chance(0.2),
      created_at: begin,
      updated_at: Math.min(expected, world.now),
    }
  })
  await world.insert('anti_grav_units_users', numbered(rows))
}
