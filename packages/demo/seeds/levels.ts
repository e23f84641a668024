import { withIds } from './bulk-insert.ts'
import { CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL, openedAt } from './school.ts'
import type { World } from './world.ts'

const LEVELS = 22

/** What the first level of each course takes. */
const FIRST_LEVEL: Readonly<Record<number, number>> = {
  [CORE]: 460,
  [ENTRY_POOL]: 120,
  [DISCOVERY]: 120,
  [DATA_ENGINEERING]: 460,
}

/** By course, what each level takes: each more than the one before. */
const POINTS: ReadonlyMap<number, readonly number[]> = new Map(
  Object.entries(FIRST_LEVEL).map(([cursus, first]) => [
    Number(cursus),
    Array.from({ length: LEVELS }, (_, level) => Math.round(first * level ** 1.5)),
  ]),
)

/** The level that so many points make in a course, with the part of the next one in hundredths. */
export function levelOf(cursus: number, points: number): number {
  const steps = POINTS.get(cursus) ?? []
  const level = steps.findLastIndex((step) => step <= points)
  const [from = 0, to] = steps.slice(level)
  return Math.round((level + (to === undefined ? 0 : (points - from) / (to - from))) * 100) / 100
}

/** What the levels of the courses take. */
export async function seedLevels(world: World): Promise<void> {
  const created_at = openedAt(world.now)
  const levels = withIds(
    [...POINTS].flatMap(([cursus_id, steps]) => steps.map((xp, lvl) => ({ cursus_id, lvl, xp, created_at }))),
  )
  await world.insert('levels', levels)
}
