import type { Person } from '../people.ts'
import { CAMPUSES, CORE, SKILLS } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, workingHour } from './times.ts'

const ATTESTED = ['Pool assistant', 'Evaluator of evaluators', 'Laser cutter', 'First aid']

/** Contests of a day or two and accreditations, with their students. */
export async function seedDashes(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('dashes')
  const pickStudents = (campusId: number | null, at: number) => {
    const able = people.filter(
      ({ core, campus, presentUntil }) =>
        core && core.beginAt < at && presentUntil > at && (campusId === null || campus.id === campusId),
    )
    return chance.shuffled(able).slice(0, chance.integer(5, 20))
  }
  const dashes = numbered(
    CAMPUSES.flatMap((campus) =>
      [-70, -20, 15].map((days) => {
        const skill_id = chance.integer(1, SKILLS.length)
        const begin_at = workingHour(campus, world.now, days, 18)
        return {
          name: `${SKILLS[skill_id - 1]} dash`,
          slug: `dash-${campus.slug}-${new Date(begin_at).toISOString().slice(0, 10)}`,
          description: 'A night, a subject, a mark.',
          cursus_id: CORE,
          campus_id: campus.id,
          skill_id,
          nbr_xp: String(chance.pick([500, 1000, 1500])),
          begin_at,
          end_at: begin_at + 14 * HOUR,
          created_at: Math.min(begin_at - 14 * DAY, world.now),
        }
      }),
    ),
  )
  await world.insert('dashes', dashes)
  const dashesUsers = dashes.flatMap(({ id, campus_id, created_at }) =>
    pickStudents(campus_id, created_at).map((person) => ({ dash_id: id, user_id: person.id, created_at })),
  )
  await world.insert('dashes_users', dashesUsers)

  const staff = people.find(({ kind }) => kind === 'admin')
  const accreditations = ATTESTED.map((name, index) => {
    return { name, user_id: staff?.id ?? null, cursus_id: CORE, validated: index < 3, difficulty: index }
  })
  await world.insert('accreditations', accreditations)
  const created_at = toSecond(world.now - 30 * DAY)
  const accreditationsUsers = ATTESTED.flatMap((_, index) =>
    pickStudents(null, created_at).map(({ id }) => ({ accreditation_id: index + 1, user_id: id, created_at })),
  )
  await world.insert('accreditations_users', accreditationsUsers)
}
