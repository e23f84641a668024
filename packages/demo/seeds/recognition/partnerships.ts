import { defined } from '@campus/engine/base/defined'
import { slugOf } from '@campus/engine/base/text/slugs'
import type { SeedRow } from '../bulk-insert.ts'
import { numbered } from '../campus-life/times.ts'
import type { Person } from '../people.ts'
import { CORE } from '../school.ts'
import { SKILL_SHARES } from '../sessions.ts'
import { DAY, openedAt, toSecond } from '../time.ts'
import type { World } from '../world.ts'

/** Name, description, difficulty from 0 to 7, and ids of skills. */
const PARTNERSHIPS = [
  ['River sensors', 'Measures the water of the river for the city, and shows it to everybody.', 3, [6, 10]],
  ['Library for all', 'Makes the catalogue of the public library easy to search.', 2, [2, 12]],
  ['Sorting robot', 'Teaches a robot of a recycling plant to tell glass from plastic.', 5, [1, 4]],
] as const

export type PartnershipsUser = SeedRow<'partnerships_users'> & {
  readonly user_id: number
  readonly final_mark: number | null
  readonly skills: readonly number[]
  readonly updated_at: number
}

const EXPERIENCE = 300 * DAY

const beganAt = (now: number) => toSecond(openedAt(now) + 400 * DAY)

/** Plans work with partners outside the school. About half of it is marked. */
export function planPartnerships(world: World, people: readonly Person[]): readonly PartnershipsUser[] {
  const chance = world.random('partnerships')
  const since = beganAt(world.now)
  const able = people.filter(({ core, presentUntil }) => core && presentUntil - core.beginAt > EXPERIENCE)
  const rows = PARTNERSHIPS.flatMap(([, , , skills], index) =>
    chance
      .shuffled(able)
      .slice(0, chance.integer(4, 8))
      .flatMap(({ id, core }) => {
        const earliest = Math.max(since, (core?.beginAt ?? since) + EXPERIENCE / 2)
        const latest = core?.endAt ?? world.now
        if (earliest >= latest) return []
        const at = toSecond(chance.between(earliest, latest))
        const markedAt = at + 60 * DAY
        const isMarked = markedAt < latest
        return {
          skills,
          partnership_id: index + 1,
          user_id: id,
          final_mark: isMarked ? chance.integer(80, 120) : null,
          created_at: at,
          updated_at: isMarked ? markedAt : at,
        }
      }),
  )
  return numbered(rows)
}

export async function seedPartnerships(world: World, planned: readonly PartnershipsUser[]): Promise<void> {
  const created_at = beganAt(world.now)
  const partnerships = PARTNERSHIPS.map(([name, description, difficulty]) => {
    return { name, slug: slugOf(name), description, difficulty, cursus_id: CORE, created_at }
  })
  await world.insert('partnerships', partnerships)
  const taught = PARTNERSHIPS.flatMap(([, , , skills], index) =>
    skills.map((skill_id, nth) => {
      return { partnership_id: index + 1, skill_id, value: defined(SKILL_SHARES[nth]), created_at }
    }),
  )
  await world.insert('partnerships_skills', taught)
  await world.insert('partnerships_users', planned)
}
