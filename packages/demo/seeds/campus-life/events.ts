import { defined } from '@campus/engine/base/defined'
import type { Person } from '../people.ts'
import type { Random } from '../random.ts'
import { CAMPUSES, type Campus, CORE, ENTRY_POOL } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'
import { numbered, workingHour } from './times.ts'

const THEMES = ['Algorithms', 'Careers', 'Design', 'Free software', 'Games', 'Security', 'Systems', 'Wellbeing']

/** Name, kind, hours and theme ids of the events. */
const PROGRAMME = [
  ['Introduction to version control', 'workshop', 2, [4, 7]],
  ['Talk: how compilers see your code', 'conference', 2, [1, 7]],
  ['Board games of the month', 'association', 4, [5]],
  ['Meet the alumni', 'meet_up', 3, [2]],
  ['Capture the flag', 'challenge', 8, [6]],
  ['Weekend rush', 'rush', 48, [1]],
  ['Speed working with companies', 'speed_working', 3, [2]],
  ['Writing a portfolio', 'atelier', 2, [2, 3]],
  ['Hackathon for the neighbourhood', 'hackathon', 24, [3, 4]],
  ['Sleep, screens and you', 'conference', 1, [8]],
  ['Pedagogic council', 'pedago', 2, [8]],
  ['A first patch to free software', 'workshop', 3, [4]],
] as const

const ROOMS = ['Amphitheatre', 'Agora', 'Cluster 1', 'Meeting room 2', 'Garden']
const SIZES = [12, 20, 30, 60]
const PER_CAMPUS = 20
const FIRST_DAY = -60
const EVERY_DAYS = 5

/** Events of the last two months and announced ones, with their guests and waitlists. */
export async function seedEvents(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('events')
  const events = numbered(CAMPUSES.flatMap((campus) => planEvents(chance, campus, world.now)))
  const themes = THEMES.map((name) => ({ name }))
  await world.insert('themes', themes)
  await world.insert('events', events)
  const overbooked = events.filter(({ registrations, max_people }) => max_people !== null && registrations > max_people)
  const waitlists = overbooked.map(({ id, created_at }) => ({ event_id: id, created_at }))
  await world.insert('waitlists', waitlists)
  await world.run('update events set waitlist_id = w.id from waitlists w where w.event_id = events.id')
  const eventsCampus = events.map(({ id, campus }) => ({ event_id: id, campus_id: campus.id }))
  await world.insert('events_campus', eventsCampus)
  const eventsCursus = events.map(({ id, cursus }) => ({ event_id: id, cursus_id: cursus }))
  await world.insert('events_cursus', eventsCursus)
  const eventsThemes = events.flatMap(({ id, themes }) => themes.map((theme) => ({ event_id: id, theme_id: theme })))
  await world.insert('events_themes', eventsThemes)
  await seedSubscribers(world, chance, events, people)
}

type Event = ReturnType<typeof planEvents>[number] & { readonly id: number }

function planEvents(chance: Random, campus: Campus, now: number) {
  return Array.from({ length: PER_CAMPUS }, (_, nth) => {
    const [name, kind, hours, themes] = chance.pick(PROGRAMME)
    const begin_at = workingHour(campus, now, FIRST_DAY + nth * EVERY_DAYS, chance.pick([10, 14, 18]))
    const created_at = toSecond(Math.min(begin_at - chance.between(10, 30) * DAY, now - HOUR))
    const max_people = chance.chance(0.7) ? chance.pick(SIZES) : null
    const isFull = max_people !== null && begin_at > now && chance.chance(0.4)
    return {
      campus,
      cursus: chance.chance(0.85) ? CORE : ENTRY_POOL,
      themes,
      name,
      kind,
      description: `${name}, at the ${campus.slug} campus.\n\n*Everybody is welcome; bring a question.*`,
      location: chance.pick(ROOMS),
      max_people,
      begin_at,
      end_at: begin_at + hours * HOUR,
      prohibition_of_cancellation: chance.chance(0.4) ? 24 : null,
      /** Guests beyond `max_people` wait. */
      registrations: isFull ? max_people + chance.integer(1, 6) : chance.integer(4, Math.min(max_people ?? 40, 40)),
      created_at,
    }
  })
}

async function seedSubscribers(
  world: World,
  chance: Random,
  events: readonly Event[],
  people: readonly Person[],
): Promise<void> {
  const rows = numbered(
    events.flatMap((event) => {
      const until = Math.min(event.begin_at, world.now)
      const present = people.filter(
        ({ campus, kind, core, presentFrom, presentUntil }) =>
          campus === event.campus &&
          kind === 'student' &&
          presentFrom < event.created_at &&
          presentUntil > until &&
          (event.cursus === ENTRY_POOL || (core && core.beginAt < event.created_at)),
      )
      const times = Array.from({ length: event.registrations }, () => toSecond(chance.between(event.created_at, until)))
      times.sort((one, other) => one - other)
      const isToCome = event.begin_at > world.now
      return chance
        .shuffled(present)
        .sort((one, other) => (isToCome ? Number(other.isGuide) - Number(one.isGuide) : 0))
        .slice(0, event.registrations)
        .map(({ id }, nth) => {
          const at = defined(times[nth])
          const waiting = event.max_people !== null && nth >= event.max_people
          return { event_id: event.id, user_id: id, waiting, created_at: at }
        })
    }),
  )
  await world.insert('events_users', rows)
}
