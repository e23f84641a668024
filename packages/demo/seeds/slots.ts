import type { Person } from './people.ts'
import type { NumberedEvaluation } from './scale-teams.ts'
import { EVALUATION_MINUTES } from './sessions.ts'
import { DAY, HOUR, instantOf, MINUTE, offsetAt } from './time.ts'
import type { World } from './world.ts'

const QUARTER = 15 * MINUTE
const BOOKED_SINCE = 14 * DAY
const OFFERED_DAYS = 10
/** One of so many students offers time in the days to come. */
const ONE_OF = 5

type Slot = {
  readonly person: Person
  readonly beginAt: number
  readonly evaluationId: number | null
  createdAt: number
}

/** The time that people offer: booked, for the evaluations of late and of the days to come, and still free. */
export async function seedSlots(
  world: World,
  people: readonly Person[],
  evaluations: readonly NumberedEvaluation[],
): Promise<void> {
  const slots = new Map<string, Slot>()
  const offer = (slot: Slot) => {
    const key = `${slot.person.id} ${slot.beginAt}`
    if (!slots.has(key)) slots.set(key, slot)
  }
  for (const { id, corrector, beginAt } of evaluations) {
    if (!corrector || beginAt < world.now - BOOKED_SINCE) continue
    const createdAt = Math.min(beginAt - DAY, world.now)
    for (let at = 0; at < EVALUATION_MINUTES * MINUTE; at += QUARTER) {
      offer({ person: corrector, beginAt: beginAt + at, evaluationId: id, createdAt })
    }
  }
  const chance = world.random('slots')
  for (const person of people) {
    const isThere = person.core !== undefined && person.core.beginAt < world.now && person.presentUntil > world.now
    const isOffering = chance.chance(1 / ONE_OF) || person.isGuide
    if (!isThere || !isOffering) continue
    for (let span = chance.integer(1, 3); span > 0; span -= 1) {
      const { timeZone } = person.campus
      const today = Math.floor((world.now + offsetAt(timeZone, world.now)) / DAY)
      const day = today + chance.integer(1, OFFERED_DAYS)
      const begin = instantOf(timeZone, day * DAY + chance.integer(9, 19) * HOUR + chance.integer(0, 3) * QUARTER)
      const createdAt = world.now - Math.round(chance.between(0, 2) * DAY)
      for (let quarters = chance.integer(2, 8), nth = 0; nth < quarters; nth += 1) {
        offer({ person, beginAt: begin + nth * QUARTER, evaluationId: null, createdAt })
      }
    }
  }
  const rows = [...slots.values()].sort((one, other) => one.createdAt - other.createdAt)
  await world.insert(
    'slots',
    rows.map(({ person, beginAt, evaluationId, createdAt }, index) => ({
      id: index + 1,
      user_id: person.id,
      begin_at: beginAt,
      end_at: beginAt + QUARTER,
      scale_team_id: evaluationId,
      created_at: createdAt,
      updated_at: createdAt,
    })),
  )
}
