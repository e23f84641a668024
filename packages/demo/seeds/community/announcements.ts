import { withIds } from '../bulk-insert.ts'
import { CAMPUSES, CORE, ENTRY_POOL } from '../school.ts'
import { DAY, HOUR, toSecond } from '../time.ts'
import type { World } from '../world.ts'

/** Author, title, body, age in days, days until it expires, and cursus. */
const NEWS = [
  [
    'The pedagogic team',
    'A new subject',
    'The subject of the sorting project was written anew. Running teams keep theirs.',
    90,
    30,
    CORE,
  ],
  ['The library', 'Open on Sundays', 'From this month on the library is open on Sundays, from 10 to 18.', 60, 21, null],
  ['The pedagogic team', 'The next pool', 'Who wants to help with the next pool, come and see us.', 40, 30, CORE],
  ['The bocal', 'Network maintenance', 'The clusters are off the network on Saturday morning.', 12, 5, null],
  ['The kitchen', 'Lunch', 'There is a second dish without meat every day.', 9, 60, null],
  ['The pedagogic team', 'Welcome', 'Your first exam is on Friday. Bring your badge.', 3, 10, ENTRY_POOL],
  ['The bocal', 'Badges', 'Badges of last year end at the end of the month.', 2, 28, null],
] as const

export async function seedAnnouncements(world: World): Promise<void> {
  const news = withIds(
    NEWS.map(([author, title, body, daysAgo, forDays, cursus], index) => {
      const created_at = toSecond(world.now - daysAgo * DAY - index * HOUR)
      const link = index % 2 === 0 ? `https://news.campus.example/${index + 1}` : null
      return { author, title, body, kind: 'global', link, cursus, expire_at: created_at + forDays * DAY, created_at }
    }),
  )
  await world.insert('announcements', news)
  const ofCursus = news.flatMap(({ id, cursus }) => {
    return cursus === null ? [] : { announcement_id: id, cursus_id: cursus }
  })
  await world.insert('announcements_cursus', ofCursus)
  const ofCampus = news
    .filter(({ cursus }) => cursus === null)
    .flatMap(({ id }) => CAMPUSES.map((campus) => ({ announcement_id: id, campus_id: campus.id })))
  await world.insert('announcements_campus', ofCampus)
}
