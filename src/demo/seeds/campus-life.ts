import { seedAntiGrav } from './campus-life/anti-grav.ts'
import { seedCloses } from './campus-life/closes.ts'
import { seedCoalitions } from './campus-life/coalitions.ts'
import { seedDashes } from './campus-life/dashes.ts'
import { seedEvents } from './campus-life/events.ts'
import { seedExams } from './campus-life/exams.ts'
import { seedQuests } from './campus-life/quests.ts'
import type { Person } from './people.ts'
import type { World } from './world.ts'

/** What people do and meet with beside their projects, and whom the school has shut out. */
export async function seedCampusLife(
  world: World,
  people: readonly Person[],
  seated: ReadonlySet<number>,
): Promise<void> {
  await seedCloses(world, people, seated)
  await seedAntiGrav(world, people)
  await seedEvents(world, people)
  await seedExams(world, people)
  await seedQuests(world, people)
  await seedCoalitions(world, people)
  await seedDashes(world, people)
}
