import { seedAnnouncements } from './community/announcements.ts'
import { seedClusters } from './community/clusters.ts'
import { seedEventFeedbacks } from './community/event-feedbacks.ts'
import { seedJournals } from './community/journals.ts'
import { seedNotions } from './community/notions.ts'
import { seedVotes } from './community/votes.ts'
import { seedExperiences } from './experience.ts'
import { seedLevels } from './levels.ts'
import type { SeedFiles, World } from './world.ts'

/** Announcements, broadcasts, notions and other content beside the forum. */
export async function seedCommunity(world: World, files: SeedFiles | undefined): Promise<void> {
  await seedEventFeedbacks(world)
  await seedNotions(world, files)
  await seedVotes(world)
  await seedAnnouncements(world)
  await seedClusters(world)
  await seedLevels(world)
  await seedExperiences(world)
  await seedJournals(world)
}
