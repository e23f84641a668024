import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, CORE, openedAt, SKILLS } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, workingHour } from './times.ts'

const ATTESTED = ['Pool assistant', 'Evaluator of evaluators', 'Laser cutter', 'First aid']

/** Contests of a day or two, and what the school attests; with the students who took part or were attested. */
export async function seedDashes(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('dashes')
  const opened = openedAt(world.now)
  const studentsAt = (campus_id: number | null, at: number) =>
    people.filter(
      ({ core, campus, presentUntil }) =>
        core && core.beginAt < at && presentUntil > at && (campus_id === null || campus.id === campus_id),
    )
  const dashes = numbered(
    CAMPUSES.flatMap((campus) =>
      [-70, -20, 15].map((days) => {
        const skill_id = chance.integer(1, SKILLS.length)
        const begin_at = workingHour(campus, world.now, days, 18)
        const created_at = Math.min(begin_at - 14 * DAY, world.now)
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
          created_at,
          updated_at: created_at,
        }
      }),
    ),
  )
  await world.insert('dashes', dashes)
  await seedJoinTable(world, 'dash', 'dashes_users', pickEach(chance, dashes, studentsAt))

  const staff = people.find(({ kind }) => kind === 'admin')
  const accreditations = ATTESTED.map((name, index) => ({
    id: index + 1,
    name,
    user_id: staff?.id ?? null,
    cursus_id: CORE,
    validated: index < 3,
    difficulty: index,
    created_at: opened,
    updated_at: opened,
  }))
  await world.insert('accreditations', accreditations)
  const attested = accreditations.map((accreditation) => ({
    ...accreditation,
    campus_id: null,
    created_at: toSecond(world.now - 30 * DAY),
  }))
  await seedJoinTable(world, 'accreditation', 'accreditations_users', pickEach(chance, attested, studentsAt))
}

type Thing = { readonly id: number; readonly campus_id: number | null; readonly created_at: number }
type Pair = readonly [thing: Thing, person: Person]

const pickEach = (
  chance: Random,
  things: readonly Thing[],
  studentsAt: (campusId: number | null, at: number) => readonly Person[],
): Pair[] =>
  things.flatMap((thing) =>
    chance
      .shuffled(studentsAt(thing.campus_id, thing.created_at))
      .slice(0, chance.integer(5, 20))
      .map((person) => [thing, person] as const),
  )

async function seedJoinTable(
  world: World,
  one: string,
  table: 'dashes_users' | 'accreditations_users',
  pairs: readonly Pair[],
): Promise<void> {
  const rows = pairs.map(([{ id, created_at }, person], index) => {
    return { id: index + 1, [`${one}_id`]: id, user_id: person.id, created_at, updated_at: created_at }
  })
  await world.insert(table, rows)
}
