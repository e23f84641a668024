import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, type Campus } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, TIMES, workingHour } from './times.ts'

const CLOSES = {
  id: 'integer',
  user_id: 'integer',
  closer_id: 'integer',
  kind: 'text',
  reason: 'text',
  state: 'text',
  end_at: 'timestamptz',
  ...TIMES,
} as const

const COMMUNITY_SERVICES = {
  id: 'integer',
  close_id: 'integer',
  tiger_id: 'integer',
  duration: 'integer',
  schedule_at: 'timestamptz',
  occupation: 'text',
  state: 'text',
  ...TIMES,
} as const

const REASONS = [
  'Food and drink at the seats',
  'A session left open over the weekend',
  'Noise in the cluster at night',
  'An exam left without a word',
  'The same evaluation missed three times',
]
const OCCUPATIONS = ['Tidying the clusters', 'Dusting the screens', 'Watering the plants', 'Helping at the front desk']
const DURATIONS = [7200, 14400, 28800]

/** Whom the school has shut out, for good or until some hours of work are done: nobody of those who sit there now. */
export async function seedCloses(world: World, people: readonly Person[], seated: ReadonlySet<number>): Promise<void> {
  const chance = world.random('closes')
  const staff = new Map(CAMPUSES.map((campus) => [campus, staffOf(campus, people)]))
  const closes = numbered(
    people
      .flatMap((person) => closesOf(chance, person, world.now, staff.get(person.campus) ?? []))
      .filter(({ state, user_id }) => state !== 'close' || !seated.has(user_id)),
  )
  await world.insert('closes', CLOSES, closes.length, closes)
  const services = numbered(closes.flatMap((close) => servicesOf(chance, close, people, world.now)))
  await world.insert('community_services', COMMUNITY_SERVICES, services.length, services)
  await world.run(
    `update users set closed_at = standing.created_at, updated_at = greatest(users.updated_at, standing.created_at)
     from (select user_id, min(created_at) as created_at from closes where state = 'close' group by user_id) standing
     where standing.user_id = users.id`,
  )
}

type Close = ReturnType<typeof closeOf> & { readonly id: number }

const staffOf = (campus: Campus, people: readonly Person[]) =>
  people.filter((person) => person.kind === 'admin' && person.campus === campus).map(({ id }) => id)

function closesOf(chance: Random, person: Person, now: number, staff: readonly number[]) {
  const { core, intake, kind, presentUntil } = person
  const luck = chance.next()
  const closer_id = staff.length > 0 ? chance.pick(staff) : null
  const draw = [chance.next(), chance.next()] as const
  if (kind !== 'student') return []
  const soonAfter = toSecond(Math.min(presentUntil + draw[0] * 5 * DAY, now - HOUR))
  if (core?.blackholedAt && core.endAt && luck < 0.3)
    return [closeOf(person, closer_id, 'black_hole', 'Absorbed by the black hole', soonAfter)]
  if (!core && intake && presentUntil < now && luck < 0.15)
    return [closeOf(person, closer_id, 'non_admitted', 'Not admitted after the entry pool', soonAfter)]
  if (presentUntil < now || luck > 0.08) return []
  const at = toSecond(now - DAY - draw[0] ** 3 * 200 * DAY)
  const reason = REASONS[Math.floor(draw[1] * REASONS.length)] as string
  return at > person.presentFrom ? [closeOf(person, closer_id, 'other', reason, at, now)] : []
}

/** Those that are about hours of work are lifted after a week, when the hours are done. */
function closeOf(
  { id }: Person,
  closer_id: number | null,
  kind: string,
  reason: string,
  created_at: number,
  now = created_at,
) {
  const isLifted = now - created_at > 7 * DAY
  const updated_at = isLifted ? created_at + 7 * DAY : created_at
  return {
    user_id: id,
    closer_id,
    kind,
    reason,
    state: isLifted ? 'unclose' : 'close',
    end_at: kind === 'other' ? created_at + 7 * DAY : null,
    created_at,
    updated_at,
  }
}

function servicesOf(chance: Random, close: Close, people: readonly Person[], now: number) {
  const { id, closer_id, created_at, state, kind, user_id } = close
  const count = chance.integer(1, 2)
  const campus = people[user_id - 1]?.campus
  if (kind !== 'other' || !campus) return []
  return Array.from({ length: count }, (_, nth) => {
    const duration = chance.pick(DURATIONS)
    const isDone = state === 'unclose'
    const schedule_at = workingHour(campus, isDone ? created_at : now, 1 + nth * 2, 9)
    return {
      close_id: id,
      tiger_id: closer_id,
      duration,
      schedule_at,
      occupation: chance.pick(OCCUPATIONS),
      state: isDone ? (chance.chance(0.85) ? 'validated' : 'invalidated') : 'schedule',
      created_at,
      updated_at: isDone ? schedule_at + duration * 1000 : created_at,
    }
  })
}
