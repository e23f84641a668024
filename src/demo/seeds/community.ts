import { seedEventFeedbacks } from './community/event-feedbacks.ts'
import type { World } from './world.ts'

/** What people tell each other beside the forum, and what the school tells them. */
export async function seedCommunity(world: World): Promise<void> {
  await seedEventFeedbacks(world)
}
