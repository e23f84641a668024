import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, type Campus } from '../school.ts'
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
/** For how long, where hours of work end it. */
const SHUT_OUT = 7 * DAY

/**
 * Whom the school has shut out, for good or until some hours of work are done. Gives the people as they are after that: who
 * is shut out does not come any more.
 */
export async function seedCloses(world: World, people: readonly Person[], db: Handle): Promise<readonly Person[]> {
  const chance = world.random('closes')
  const staff = new Map(CAMPUSES.map((campus) => [campus, staffOf(campus, people)]))
  const planned = people.flatMap((person) => closesOf(chance, person, world.now, staff.get(person.campus) ?? []))
  const lastSeen = await findLastActivity(db, planned.filter(isClosed))
  const closes = numbered(
    planned.flatMap((close) => {
      const created_at = Math.max(close.created_at, (lastSeen.get(close.user_id) ?? 0) + MINUTE)
      if (!isClosed(close)) return close
      return created_at < world.now - HOUR ? { ...close, ...timesOf(close.kind, created_at) } : []
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

/** When each of them sat at a seat or had an evaluation last, in milliseconds; what is to come counts, and what goes on has no end. */
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

type Close = ReturnType<typeof closeOf> & { readonly id: number }

const staffOf = (campus: Campus, people: readonly Person[]) =>
  people.filter((person) => person.kind === 'admin' && person.campus === campus).map(({ id }) => id)

function closesOf(chance: Random, person: Person, now: number, staff: readonly number[]) {
  const { core, intake, kind, presentUntil, isGuide } = person
  const luck = chance.next()
  const closer_id = staff.length > 0 ? chance.pick(staff) : null
  const draw = [chance.next(), chance.next()] as const
  if (kind !== 'student' || isGuide) return []
  const soonAfter = toSecond(Math.min(presentUntil + draw[0] * 5 * DAY, now - HOUR))
  if (core?.blackholedAt && core.endAt && luck < 0.3)
    return [closeOf(person, closer_id, 'black_hole', 'Absorbed by the black hole', soonAfter)]
  if (!core && intake && presentUntil < now && luck < 0.15)
    return [closeOf(person, closer_id, 'non_admitted', 'Not admitted after the entry pool', soonAfter)]
  if (presentUntil < now || luck > 0.08) return []
  const at = toSecond(now - DAY - draw[0] ** 3 * 200 * DAY)
  const reason = defined(REASONS[Math.floor(draw[1] * REASONS.length)])
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
  const isLifted = now - created_at > SHUT_OUT
  const times = timesOf(kind, created_at)
  const state = isLifted ? 'unclose' : 'close'
  return {
    user_id: id,
    closer_id,
    kind,
    reason,
    state,
    ...times,
    ...(isLifted ? { updated_at: created_at + SHUT_OUT } : {}),
  }
}

const timesOf = (kind: string, created_at: number) => {
  const at = toSecond(created_at)
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
