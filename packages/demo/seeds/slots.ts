import type { SeedRow } from './bulk-insert.ts'
import { numbered } from './campus-life/times.ts'
import type { Person } from './people.ts'
import type { NumberedEvaluation } from './scale-teams.ts'
import { EVALUATION_MINUTES } from './sessions.ts'
import { DAY, HOUR, instantOf, MINUTE, offsetAt } from './time.ts'
import type { World } from './world.ts'

const QUARTER = 15 * MINUTE
const BOOKED_SINCE = 14 * DAY
const OFFERED_DAYS = 10
const OFFERING_SHARE = 1 / 5

/** Slots of recent and coming evaluations, and free slots. */
export async function seedSlots(
  world: World,
  people: readonly Person[],
  evaluations: readonly NumberedEvaluation[],
): Promise<void> {
  const slots = new Map<string, SeedRow<'slots'> & { readonly created_at: number }>()
  const offer = ({ id }: Person, begin_at: number, scale_team_id: number | null, created_at: number) => {
    const key = `${id} ${begin_at}`
    if (slots.has(key)) return
    slots.set(key, { user_id: id, begin_at, end_at: begin_at + QUARTER, scale_team_id, created_at })
  }
  for (const { id, corrector, beginAt } of evaluations) {
    if (!corrector || beginAt < world.now - BOOKED_SINCE) continue
    const createdAt = Math.min(beginAt - DAY, world.now)
    for (let at = 0; at < EVALUATION_MINUTES * MINUTE; at += QUARTER) offer(corrector, beginAt + at, id, createdAt)
  }
  const chance = world.random('slots')
  for (const person of people) {
    const isThere = person.core !== undefined && person.core.beginAt < world.now && person.presentUntil > world.now
    const isOffering = chance.chance(OFFERING_SHARE) || person.isGuide
    if (!isThere || !isOffering) continue
    for (let span = chance.integer(1, 3); span > 0; span -= 1) {
      const { timeZone } = person.campus
      const today = Math.floor((world.now + offsetAt(timeZone, world.now)) / DAY)
      const day = today + chance.integer(1, OFFERED_DAYS)
      const begin = instantOf(timeZone, day * DAY + chance.integer(9, 19) * HOUR + chance.integer(0, 3) * QUARTER)
      const createdAt = world.now - Math.round(chance.between(0, 2) * DAY)
      for (let quarters = chance.integer(2, 8), nth = 0; nth < quarters; nth += 1) {
        offer(person, begin + nth * QUARTER, null, createdAt)
      }
    }
  }
  await world.insert('slots', numbered([...slots.values()]))
}
