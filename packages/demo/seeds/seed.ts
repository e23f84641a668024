import type { Progress } from '@campus/engine/base/progress'
import type { Database, Handle } from '@campus/engine/database/database'
import { HttpError } from '@campus/engine/errors'
import { sql } from 'kysely'
import { seedApplications } from './applications.ts'
import { seedAttachments } from './attachments.ts'
import { startBulkLoad } from './bulk-load.ts'
import { seedAntiGrav } from './campus-life/anti-grav.ts'
import { seedCloses } from './campus-life/closes.ts'
import { seedCoalitions } from './campus-life/coalitions.ts'
import { seedDashes } from './campus-life/dashes.ts'
import { seedEvents } from './campus-life/events.ts'
import { seedExams } from './campus-life/exams.ts'
import { seedQuests } from './campus-life/quests.ts'
import { seedCertificates } from './certificates.ts'
import { seedChangelogs } from './changelogs.ts'
import { seedCoalitionGame } from './coalition-game.ts'
import { seedAnnouncements } from './community/announcements.ts'
import { seedClusters } from './community/clusters.ts'
import { seedEventFeedbacks } from './community/event-feedbacks.ts'
import { collectJournals, seedJournals } from './community/journals.ts'
import { seedNotions } from './community/notions.ts'
import { seedVotes } from './community/votes.ts'
import { COMMON_CORE, isNeeded, type Project } from './curriculum.ts'
import { seedCallbacks, seedDeliveries } from './deliveries.ts'
import { earningsOf, seedExperiences } from './experience.ts'
import { seedFlashes } from './flashes.ts'
import { seedForum } from './forum.ts'
import { seedLevels } from './levels.ts'
import { seedLocations } from './locations.ts'
import { seedMemberships } from './memberships.ts'
import { likeTheNetwork } from './network/like-the-network.ts'
import { seedOffers } from './offers.ts'
import { isThrough, type Person, planPeople } from './people.ts'
import { seedPoints } from './points.ts'
import { seedPools } from './pools.ts'
import { seedProjectData } from './project-data.ts'
import { seedProjects } from './projects.ts'
import { followTeams } from './projects-users.ts'
import { seedAchievements } from './recognition/achievements.ts'
import { seedExpertises } from './recognition/expertises.ts'
import { seedGroups } from './recognition/groups.ts'
import { seedLanguages } from './recognition/languages.ts'
import { planPartnerships, seedPartnerships } from './recognition/partnerships.ts'
import { seedPatronages } from './recognition/patronages.ts'
import { seedSchool } from './school.ts'
import { seedShop } from './shop.ts'
import { orderSubjects } from './subjects.ts'
import { seedTeams, type Work } from './teams.ts'
import { planTeams } from './teams-plan.ts'
import { seedUsers } from './users.ts'
import { seedExamWaitlists } from './waitlists.ts'
import { seedWallets } from './wallets.ts'
import { createWorld, type SeedOptions, type SeedSummary } from './world.ts'

export type { SeedOptions, SeedSummary } from './world.ts'

/**
 * Fills an empty database with a school in one transaction, or throws 409 if there are users. The same options, with
 * `now`, give the same rows.
 */
export async function seed(
  database: Database,
  options: SeedOptions = {},
  progress: Progress = () => {},
): Promise<SeedSummary> {
  const whole = { ...options, now: options.now ?? new Date() }
  await refuseUnlessEmpty(database)
  // The transaction must not wait for the file storage.
  const files = await options.files?.(whole.now, orderSubjects(options.likeTheNetwork === true))
  const summary = await database.transaction(async (tx) => {
    // No other transaction may add a user while the seed assigns ids.
    await sql`lock table users in share row exclusive mode`.execute(tx.kysely)
    await refuseUnlessEmpty(tx)
    // No webservice is notified about the new accounts.
    await sql`set local campus.webhooks = 'off'`.execute(tx.kysely)
    const world = createWorld(tx, whole, progress)
    const finishBulkLoad = await startBulkLoad(tx)
    await collectJournals(world)
    const people = planPeople(world)
    const teams = planTeams(world, people)
    const work = { teams, progress: followTeams(teams) }
    const partnerships = planPartnerships(world, people)
    const earnings = earningsOf(work.progress.values(), partnerships)
    await seedSchool(world)
    const logins = await seedUsers(world, people, alumniOf(people, work))
    await seedMemberships(world, people, earnings)
    await seedProjects(world)
    const evaluations = await seedTeams(world, people, work, logins)
    await seedLocations(world, people)
    const present = await seedCloses(world, people, tx)
    await seedAntiGrav(world, present)
    await seedEvents(world, present)
    await seedExams(world, present)
    await seedQuests(world, present, work.progress)
    await seedCoalitions(world, present, { progress: work.progress, evaluations })
    await seedDashes(world, present)
    await seedLanguages(world, present)
    await seedExpertises(world, present)
    await seedGroups(world, present)
    await seedPatronages(world, present)
    await seedPartnerships(world, partnerships)
    await seedAchievements(world)
    await seedForum(world, present, tx)
    await seedAttachments(world, people, tx, files)
    await seedApplications(world, people, tx)
    await seedDeliveries(world)
    await seedCallbacks(world)
    await seedChangelogs(world)
    await seedOffers(world, present)
    await seedFlashes(world, present)
    await seedExamWaitlists(world)
    await seedCertificates(world)
    await seedProjectData(world)
    await seedCoalitionGame(world)
    await seedEventFeedbacks(world)
    await seedNotions(world, files)
    await seedVotes(world)
    await seedAnnouncements(world)
    await seedClusters(world)
    await seedLevels(world)
    await seedExperiences(world)
    await seedJournals(world)
    await seedPoints(world)
    await seedPools(world)
    await seedShop(world)
    await seedWallets(world)
    if (options.likeTheNetwork) await likeTheNetwork(world, tx)
    await finishBulkLoad()
    return world.summary
  })
  // Without statistics, the planner assumes that every table is tiny. A single transaction is flushed to disk only
  // once.
  await database.transaction((tx) => sql.raw(`analyze ${Object.keys(summary).join(', ')}`).execute(tx.kysely))
  return summary
}

/** Returns the users who left the core curriculum after they validated every required project of the common core. */
function alumniOf(people: readonly Person[], { progress }: Work): ReadonlySet<Person> {
  const required = COMMON_CORE.filter(isNeeded)
  const hasValidated = (person: Person, { id }: Project) => progress.get(`${person.id} ${id}`)?.outcome.validated
  return new Set(
    people.filter((person) => isThrough(person) && required.every((project) => hasValidated(person, project))),
  )
}

async function refuseUnlessEmpty(handle: Handle): Promise<void> {
  const somebody = await handle.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (somebody) {
    throw new HttpError(409, 'The demonstration data needs an empty database, and this one has users already.')
  }
}
