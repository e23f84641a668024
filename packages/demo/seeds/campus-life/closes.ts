import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { DAY, HOUR, MINUTE, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, workingHour } from './times.ts'

const REASONS = [
  'Food and drink at the seats',
  'A session left open over the weekend',
  'Noise in the cluster at night',
  'An exam left without a word',
  'The same evaluation missed three times',
]
const OCCUPATIONS = ['Tidying the clusters', 'Dusting the screens', 'Watering the plants', 'Helping at the front desk']
const DURATIONS = [7200, 14400, 28800]
/** Length of a close that community service lifts. */
const SHUT_OUT = 7 * DAY

/**
 * Students whom the school has shut out, for good or until their community service is done. Returns all people with an
 * updated `presentUntil`.
 */
export async function seedCloses(world: World, people: readonly Person[], db: Handle): Promise<readonly Person[]> {
  const chance = world.random('closes')
  const staff = Map.groupBy(
    people.filter(({ kind }) => kind === 'admin'),
    ({ campus }) => campus,
  )
  const planned = people.flatMap((person) => closesOf(chance, person, world.now, staff.get(person.campus) ?? []))
  const lastSeen = await findLastActivity(db, planned.filter(isClosed))
  const closes = numbered(
    planned.flatMap((close) => {
      const created_at = Math.max(close.created_at, (lastSeen.get(close.user_id) ?? 0) + MINUTE)
      if (!isClosed(close)) return close
      return created_at < world.now - HOUR ? { ...close, ...timesOf(close.kind, toSecond(created_at)) } : []
    }),
  )
  await world.insert('closes', closes)
  const services = numbered(closes.flatMap((close) => servicesOf(chance, close, people, world.now)))
  await world.insert('community_services', services)
  await world.run(
    `update users set closed_at = standing.created_at, updated_at = greatest(users.updated_at, standing.created_at),
       last_seen_at = least(last_seen_at, standing.created_at)
     from (select user_id, min(created_at) as created_at from closes where state = 'close' group by user_id) standing
     where standing.user_id = users.id`,
  )
  const closedAt = new Map(closes.filter(isClosed).map(({ user_id, created_at }) => [user_id, created_at]))
  return people.map((person) => {
    const presentUntil = Math.min(person.presentUntil, closedAt.get(person.id) ?? Infinity)
    return presentUntil === person.presentUntil ? person : { ...person, presentUntil }
  })
}

const isClosed = ({ state }: { readonly state: string }) => state === 'close'

/** Returns when each user last sat at a seat or had an evaluation, also in the future, in milliseconds. An open stay is infinite. */
async function findLastActivity(
  db: Handle,
  closes: readonly { readonly user_id: number }[],
): Promise<ReadonlyMap<number, number>> {
  const { rows } = await sql<{ user_id: number; at: number }>`
    select user_id, (extract(epoch from max(at)) * 1000)::float8 as at from (
       select user_id, coalesce(end_at, 'infinity') as at from locations
       union all select user_id, coalesce(filled_at, begin_at + interval '1 hour') from scale_teams
       union all select user_id, end_at from slots
       union all select m.user_id, coalesce(s.filled_at, s.begin_at + interval '1 hour')
         from scale_teams s join teams_users m on m.team_id = s.team_id) deeds
     where user_id = any(${closes.map(({ user_id }) => user_id)}) group by 1`.execute(db.kysely)
  return new Map(rows.map(({ user_id, at }) => [user_id, at]))
}

type Close = ReturnType<typeof closesOf>[number] & { readonly id: number }

function closesOf(chance: Random, person: Person, now: number, staff: readonly Person[]) {
  const { core, intake, kind, presentUntil, isGuide } = person
  const luck = chance.next()
  const closer_id = staff.length > 0 ? chance.pick(staff).id : null
  const draw = [chance.next(), chance.next()] as const
  if (kind !== 'student' || isGuide) return []
  const close = (kind: string, reason: string, created_at: number) => [
    { user_id: person.id, closer_id, kind, reason, state: 'close', ...timesOf(kind, created_at) },
  ]
  const soonAfter = toSecond(Math.min(presentUntil + draw[0] * 5 * DAY, now - HOUR))
  if (core?.blackholedAt && core.endAt && luck < 0.3)
    return close('black_hole', 'Absorbed by the black hole', soonAfter)
  if (!core && intake && presentUntil < now && luck < 0.15) {
    return close('non_admitted', 'Not admitted after the entry pool', soonAfter)
  }
  if (presentUntil < now || luck > 0.08) return []
  const at = toSecond(now - DAY - draw[0] ** 3 * 200 * DAY)
  if (at <= person.presentFrom) return []
  const closes = close('other', defined(REASONS[Math.floor(draw[1] * REASONS.length)]), at)
  const isLifted = now - at > SHUT_OUT
  return isLifted ? closes.map((row) => ({ ...row, state: 'unclose', updated_at: at + SHUT_OUT })) : closes
}

const timesOf = (kind: string, at: number) => {
  return { end_at: kind === 'other' ? at + SHUT_OUT : null, created_at: at, updated_at: at }
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
