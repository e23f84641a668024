import type { Progress } from '@campus/engine/base/progress'
import type { Database, Handle } from '@campus/engine/database/database'
import { HttpError } from '@campus/engine/errors'
import { sql } from 'kysely'
import { seedApplications } from './applications.ts'
import { seedAttachments } from './attachments.ts'
import { startBulkLoad } from './bulk-load.ts'
import { seedCloses } from './campus-life/closes.ts'
import { seedCampusLife } from './campus-life.ts'
import { seedCertificates } from './certificates.ts'
import { seedChangelogs } from './changelogs.ts'
import { seedCoalitionGame } from './coalition-game.ts'
import { collectJournals } from './community/journals.ts'
import { seedCommunity } from './community.ts'
import { isNeeded, isOfTheCommonCore, PROJECTS } from './curriculum.ts'
import { seedCallbacks, seedDeliveries } from './deliveries.ts'
import { earningsOf } from './experience.ts'
import { seedFlashes } from './flashes.ts'
import { seedForum } from './forum.ts'
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
import { planPartnerships } from './recognition/partnerships.ts'
import { seedRecognition } from './recognition.ts'
import { seedSchool } from './school.ts'
import { seedShop } from './shop.ts'
import { orderSubjects } from './subjects.ts'
import { seedTeams, type Work } from './teams.ts'
import { planTeams } from './teams-plan.ts'
import { seedUsers } from './users.ts'
import { seedExamWaitlists } from './waitlists.ts'
import { seedWallets } from './wallets.ts'
import { createWorld, type SeedOptions, type SeedSummary, type World } from './world.ts'

export type { SeedOptions, SeedSummary } from './world.ts'

/**
 * Fills an empty database with a school: three campuses, their people and their life. The same options, `now` among
 * them, give the same rows. All or nothing; 409 where there are users already.
 */
export async function seed(
  database: Database,
  options: SeedOptions = {},
  progress: Progress = () => {},
): Promise<SeedSummary> {
  const whole = { ...options, now: options.now ?? new Date() }
  await refuseUnlessEmpty(database)
  // Before the transaction, since none waits for a storage.
  const files = await options.files?.(whole.now, orderSubjects(options.likeTheNetwork === true))
  const summary = await database.transaction(async (tx) => {
    // No other transaction may add a user while the seed assigns ids.
    await sql`lock table users in share row exclusive mode`.execute(tx.kysely)
    await refuseUnlessEmpty(tx)
    // Calls no webservice of a campus about the new accounts.
    await sql`set local campus.webhooks = 'off'`.execute(tx.kysely)
    const world = createWorld(tx, whole, progress)
    const finishBulkLoad = await startBulkLoad(tx)
    await collectJournals(world)
    const people = planPeople(world)
    const work = planWork(world, people)
    const partnerships = planPartnerships(world, people)
    const earnings = earningsOf(work.progress.values(), partnerships)
    await seedSchool(world)
    const logins = await seedUsers(world, people, alumniOf(people, work))
    await seedMemberships(world, people, earnings)
    await seedProjects(world)
    const evaluations = await seedTeams(world, people, work, logins)
    await seedLocations(world, people)
    const present = await seedCloses(world, people, tx)
    await seedCampusLife(world, present, { ...work, evaluations })
    await seedRecognition(world, present, partnerships)
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
    await seedCommunity(world, files)
    await seedPoints(world)
    await seedPools(world)
    await seedShop(world)
    await seedWallets(world)
    if (options.likeTheNetwork) await likeTheNetwork(world, tx)
    await finishBulkLoad()
    return world.summary
  })
  // Until it has counted, the planner takes every table for a tiny one. In one transaction, which waits for the disk once.
  await database.transaction((tx) => sql.raw(`analyze ${Object.keys(summary).join(', ')}`).execute(tx.kysely))
  return summary
}

function planWork(world: World, people: readonly Person[]): Work {
  const teams = planTeams(world, people)
  return { teams, progress: followTeams(teams, PROJECTS) }
}

/** Who left the core curriculum with all that others build on validated. */
const alumniOf = (people: readonly Person[], { progress }: Work): ReadonlySet<Person> =>
  new Set(
    people.filter(
      (person) =>
        isThrough(person) &&
        PROJECTS.every(
          (project) =>
            !(isNeeded(project) && isOfTheCommonCore(project)) ||
            progress.get(`${person.id} ${project.id}`)?.outcome.validated === true,
        ),
    ),
  )

async function refuseUnlessEmpty(handle: Handle): Promise<void> {
  const somebody = await handle.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (somebody) {
    throw new HttpError(409, 'The demonstration data needs an empty database, and this one has users already.')
  }
}
