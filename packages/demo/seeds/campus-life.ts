import { seedAntiGrav } from './campus-life/anti-grav.ts'
import { seedCoalitions } from './campus-life/coalitions.ts'
import { seedDashes } from './campus-life/dashes.ts'
import { seedEvents } from './campus-life/events.ts'
import { seedExams } from './campus-life/exams.ts'
import { seedQuests } from './campus-life/quests.ts'
import type { Person } from './people.ts'
import type { ProjectsUser } from './projects-users.ts'
import type { NumberedEvaluation } from './scale-teams.ts'
import type { World } from './world.ts'

type Sources = {
  readonly evaluations: readonly NumberedEvaluation[]
  readonly progress: ReadonlyMap<string, ProjectsUser>
}

/** What people do and meet with beside their projects. */
export async function seedCampusLife(
  world: World,
  people: readonly Person[],
  { progress, evaluations }: Sources,
): Promise<void> {
  await seedAntiGrav(world, people)
  await seedEvents(world, people)
  await seedExams(world, people)
  await seedQuests(world, people, progress)
  await seedCoalitions(world, people, { progress, evaluations })
  await seedDashes(world, people)
}
