import { defined } from '@campus/engine/base/defined'
import type { Person } from './people.ts'
import type { ProjectsUser } from './projects-users.ts'
import type { Random } from './random.ts'
import { type NumberedEvaluation, seedScaleTeams } from './scale-teams.ts'
import { TERMINATING_FACTOR } from './sessions.ts'
import { seedSlots } from './slots.ts'
import type { NumberedTeam, Team } from './teams-plan.ts'
import { DAY, HOUR, toSecond } from './time.ts'
import type { World } from './world.ts'

/** Inserts teams, evaluations and projects of users. Returns the evaluations. `logins` are in the order of person ids. */
export async function seedTeams(
  world: World,
  people: readonly Person[],
  { teams, progress }: Work,
  logins: readonly string[],
): Promise<readonly NumberedEvaluation[]> {
  await insertProjectsUsers(world, progress)
  await insertTeams(world, teams, logins)
  await insertMembers(world, teams, progress)
  const evaluations = await seedScaleTeams(world, teams)
  await seedSlots(world, people, evaluations)
  await insertUploads(world, teams)
  return evaluations
}

export type Work = {
  readonly teams: readonly NumberedTeam[]
  /** The keys are `personId projectId`. */
  readonly progress: ReadonlyMap<string, ProjectsUser>
}

function statusOf({ mark, closedAt, lockedAt }: Team): string {
  if (mark !== null) return 'finished'
  if (closedAt !== null) return 'waiting_for_correction'
  return lockedAt === null ? 'creating_group' : 'in_progress'
}

async function insertProjectsUsers(world: World, projectsUsers: ReadonlyMap<string, ProjectsUser>): Promise<void> {
  const rows = [...projectsUsers.values()]
  await world.insert(
    'projects_users',
    rows.map(({ id, personId, projectId, team, outcome, createdAt, updatedAt }) => ({
      id,
      user_id: personId,
      project_id: projectId,
      occurrence: team?.occurrence ?? 0,
      final_mark: outcome.mark,
      validated: outcome.validated,
      marked_at: outcome.markedAt,
      status: team ? statusOf(team) : 'parent',
      current_team_id: team?.id ?? null,
      created_at: createdAt,
      updated_at: updatedAt,
    })),
  )
}

async function insertTeams(world: World, teams: readonly NumberedTeam[], logins: readonly string[]): Promise<void> {
  const chance = world.random('repositories')
  await world.insert(
    'teams',
    teams.map((team) => {
      const { id, session, members, mark, validated, createdAt, lockedAt, closedAt, updatedAt } = team
      const leader = defined(members[0])
      const login = defined(logins[leader.id - 1])
      const repository = `intra-uuid-${uuid(chance)}-${id}-${login}`
      const isAtWork = lockedAt !== null && closedAt === null
      const allowed = session.project.days * TERMINATING_FACTOR * DAY
      return {
        id,
        name: `${login}'s group`,
        project_id: session.project.id,
        project_session_id: session.id,
        final_mark: mark,
        validated,
        status: statusOf(team),
        repo_uuid: repository,
        repo_url: lockedAt === null ? null : `git@git.${leader.campus.slug}.example:work/${repository}`,
        project_gitlab_path: `school/projects/${session.project.slug}`,
        terminating_at: isAtWork ? toSecond(lockedAt + allowed) : null,
        deadline_at: lockedAt === null ? null : toSecond(lockedAt + allowed / 2),
        locked_at: lockedAt,
        closed_at: closedAt,
        created_at: createdAt,
        updated_at: updatedAt,
      }
    }),
  )
}

async function insertMembers(
  world: World,
  teams: readonly NumberedTeam[],
  projectsUsers: ReadonlyMap<string, ProjectsUser>,
): Promise<void> {
  const rows = teams.flatMap((team) =>
    team.members.map((person, place) => ({
      team_id: team.id,
      user_id: person.id,
      leader: place === 0,
      validated: true,
      projects_user_id: projectsUsers.get(`${person.id} ${team.session.project.id}`)?.id ?? null,
      occurrence: team.occurrence,
      created_at: team.createdAt,
      updated_at: team.updatedAt,
    })),
  )
  await world.insert('teams_users', rows)
}

/** Results of automatic tests. */
async function insertUploads(world: World, teams: readonly NumberedTeam[]): Promise<void> {
  const marked = teams.filter((team) => team.session.uploadId !== undefined && team.mark !== null)
  await world.insert(
    'teams_uploads',
    marked.map(({ id, session, mark, closedAt }) => ({
      team_id: id,
      upload_id: defined(session.uploadId),
      final_mark: Math.min(mark ?? 0, 100),
      comment: (mark ?? 0) > 0 ? 'ex00: OK | ex01: OK | ex02: OK' : 'ex00: KO',
      created_at: defined(closedAt) + HOUR,
    })),
  )
}

/** Returns a version 4 UUID that depends on the seed. */
function uuid(chance: Random): string {
  const digits = Array.from({ length: 32 }, () => chance.integer(0, 15).toString(16))
  digits[12] = '4'
  digits[16] = chance.pick(['8', '9', 'a', 'b'])
  return digits.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
