import { numbered } from './campus-life/times.ts'
import type { Person } from './people.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Title, content, identifier, seconds, what it points at, and how many days ago it was made. */
const FLASHES = [
  ['Welcome', '<p>This is your dashboard: <b>look around</b>.</p>', 'welcome', 15, '#dashboard', 300],
  ['Evaluations', '<p>Offer an hour of your time, and earn a point.</p>', 'first-slots', 10, '#slots', 120],
  ['Survey', '<p>How was your week? <i>Two minutes</i> are enough.</p>', 'weekly-survey', 20, '', 5],
] as const

const SHOWN_DAYS = 30

/** Notices on screen to students who were there, most of them seen. */
export async function seedFlashes(world: World, people: readonly Person[]): Promise<void> {
  const chance = world.random('flashes')
  const flashes = FLASHES.map(([title, content, identifier, duration, selector, days], index) => {
    const created_at = toSecond(world.now - days * DAY)
    return {
      id: index + 1,
      title,
      content,
      identifier,
      duration,
      selector: selector || null,
      created_at,
      updated_at: created_at,
    }
  })
  await world.insert('flashes', flashes)
  const rows = numbered(
    flashes.flatMap(({ id: flash_id, created_at }, nth) =>
      people
        .filter(
          ({ kind, presentFrom, presentUntil }) =>
            kind === 'student' && presentFrom < created_at && presentUntil > created_at,
        )
        .map(({ id: user_id }) => ({
          flash_id,
          user_id,
          seen: chance.chance(0.8),
          end_at: nth === 0 ? null : created_at + SHOWN_DAYS * DAY,
          created_at,
          updated_at: created_at,
        })),
    ),
  )
  await world.insert('flash_users', rows)
}
