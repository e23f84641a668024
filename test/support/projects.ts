import type { World } from './campus.ts'
import type { Client } from './client.ts'

/** A project with the records that a team needs: campus, cursus, project session and scale. */
export type Project = {
  readonly campus: number
  readonly cursus: number
  readonly project: number
  readonly session: number
  readonly evaluation: number
  readonly scale: number
}

type Options = {
  readonly campus?: number
  readonly cursus?: number
  readonly session?: Readonly<Record<string, unknown>>
  readonly scale?: Readonly<Record<string, unknown>>
}

let last = 0

/** Inserts a project. By default it needs two evaluations of half an hour. */
export async function openProject({ build }: Pick<World, 'build'>, options: Options = {}): Promise<Project> {
  last += 1
  const campus = options.campus ?? (await build.campus())
  const cursus = options.cursus ?? (await build.cursus())
  const project = await build.record('projects', { name: `Project ${last}`, slug: `project-${last}` })
  await build.record('projects_cursus', { project_id: project, cursus_id: cursus })
  const session = await build.record('project_sessions', { project_id: project, max_people: 2, ...options.session })
  const evaluation = await build.record('evaluations', { project_session_id: session, kind: 'scale' })
  const scale = await build.record('scales', {
    evaluation_id: evaluation,
    name: `Scale ${last}`,
    correction_number: 2,
    duration: 1800,
    ...options.scale,
  })
  return { campus, cursus, project, session, evaluation, scale }
}

/** Creates a user of the cursus and the campus, with a token of the user for projects. */
export async function student(world: World, { campus, cursus }: Pick<Project, 'campus' | 'cursus'>) {
  const id = await world.build.user()
  await world.build.record('campus_users', { user_id: id, campus_id: campus, is_primary: true })
  await world.build.record('cursus_users', { user_id: id, cursus_id: cursus, begin_at: '2026-01-01T00:00:00Z' })
  const client = await world.caller({ user: id, scopes: ['public', 'projects'] })
  return { id, client }
}

/** Creates and closes a team of the student alone. It then waits for its evaluations. */
export async function closedTeam(client: Client, project: number): Promise<number> {
  const created = await client.post('/v2/teams', { team: { project_id: project } })
  if (created.status !== 201) throw new Error(created.text)
  const closed = await client.patch(`/v2/teams/${created.json.id}`, { team: { closed_at: '2026-03-01T00:00:00Z' } })
  if (closed.status !== 204) throw new Error(closed.text)
  return created.json.id
}
