import { CORE, DATA_ENGINEERING, DISCOVERY, ENTRY_POOL } from './school.ts'
import type { World } from './world.ts'

const LEVELS = 22

/** Points at which each level begins, by cursus. */
const POINTS: ReadonlyMap<number, readonly number[]> = new Map([
  [CORE, levels(460)],
  [ENTRY_POOL, levels(120)],
  [DISCOVERY, levels(120)],
  [DATA_ENGINEERING, levels(460)],
])

function levels(first: number): readonly number[] {
  return Array.from({ length: LEVELS }, (_, level) => Math.round(first * level ** 1.5))
}

/** Returns the level for a number of points, with two decimals for the part of the next level. */
export function levelOf(cursus: number, points: number): number {
  const steps = POINTS.get(cursus) ?? []
  const level = steps.findLastIndex((step) => step <= points)
  const [from = 0, to] = steps.slice(level)
  return Math.round((level + (to === undefined ? 0 : (points - from) / (to - from))) * 100) / 100
}

export async function seedLevels(world: World): Promise<void> {
  const rows = [...POINTS].flatMap(([cursus_id, steps]) => steps.map((xp, lvl) => ({ cursus_id, lvl, xp })))
  await world.insert('levels', rows)
}
