import { DAY, openedAt, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Version, name, content, and days since the school opened. */
const VERSIONS = [
  ['1.0', 'First day', '* Users, campuses and who sits where.', 0],
  ['1.1', 'Evaluations', '* Teams book their evaluations.\n* A team sees its mark as soon as it has one.', 120],
  ['1.2', 'Together', '* Events with a waitlist.\n* Coalitions and their score.', 400],
  ['2.0', 'Applications', '* Your own applications may call the API.\n* The forum is back.', 900],
] as const

export async function seedChangelogs(world: World): Promise<void> {
  const changelogs = VERSIONS.map(([version, name, content, days]) => {
    return { version, name, content, created_at: toSecond(openedAt(world.now) + days * DAY) }
  })
  await world.insert('changelogs', changelogs)
}
