import { openedAt } from './school.ts'
import { DAY, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Version, name, what is new, and how many days after the school opened. */
const VERSIONS = [
  ['1.0', 'First day', '* Users, campuses and who sits where.', 0],
  ['1.1', 'Evaluations', '* Teams book their evaluations.\n* A team sees its mark as soon as it has one.', 120],
  ['1.2', 'Together', '* Events with a waitlist.\n* Coalitions and their score.', 400],
  ['2.0', 'Applications', '* Your own applications may call the API.\n* The forum is back.', 900],
] as const

/** News of the intranet. */
export async function seedChangelogs(world: World): Promise<void> {
  const opened = openedAt(world.now)
  await world.insert(
    'changelogs',
    VERSIONS.map(([version, name, content, days], index) => {
      const at = toSecond(opened + days * DAY)
      return { id: index + 1, version, name, content, created_at: at, updated_at: at }
    }),
  )
}
