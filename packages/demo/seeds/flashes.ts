import { numbered } from './campus-life/times.ts'
import type { Person } from './people.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Title, content, identifier, seconds, CSS selector, and age in days. */
const FLASHES = [
  ['Welcome', '<p>This is your dashboard: <b>look around</b>.</p>', 'welcome', 15, '#dashboard', 300],
  ['Evaluations', '<p>Offer an hour of your time, and earn a point.</p>', 'first-slots', 10, '#slots', 120],
  ['Survey', '<p>How was your week? <i>Two minutes</i> are enough.</p>', 'weekly-survey', 20, null, 5],
] as const

const SHOWN_DAYS = 30

/** Notices to students who were present. Most are seen. */
export async function seedFlashes(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('flashes')
  const flashes = FLASHES.map(([title, content, identifier, duration, selector, days]) => {
    return { title, content, identifier, duration, selector, created_at: toSecond(world.now - days * DAY) }
  })
  await world.insert('flashes', flashes)
  const rows = flashes.flatMap(({ created_at }, nth) => {
    const present = people.filter(
      ({ kind, presentFrom, presentUntil }) =>
        kind === 'student' && presentFrom < created_at && presentUntil > created_at,
    )
    const end_at = nth === 0 ? null : created_at + SHOWN_DAYS * DAY
    return present.map(({ id }) => {
      return { flash_id: nth + 1, user_id: id, seen: chance.chance(0.8), end_at, created_at }
    })
  })
  await world.insert('flash_users', numbered(rows))
}
