import type { Person } from './people.ts'
import { seedAchievements } from './recognition/achievements.ts'
import { seedExpertises } from './recognition/expertises.ts'
import { seedGroups } from './recognition/groups.ts'
import { seedLanguages } from './recognition/languages.ts'
import { type PartnershipsUser, seedPartnerships } from './recognition/partnerships.ts'
import { seedPatronages } from './recognition/patronages.ts'
import type { World } from './world.ts'

/** What people have won, know, belong to and look after: it follows from what they have done before. */
export async function seedRecognition(
  world: World,
  people: readonly Person[],
  partnerships: readonly PartnershipsUser[],
): Promise<void> {
  await seedLanguages(world, people)
  await seedExpertises(world, people)
  await seedGroups(world, people)
  await seedPatronages(world, people)
  await seedPartnerships(world, partnerships)
  await seedAchievements(world)
}
