import type { ActionInput, Values } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, notFound, unprocessable } from '@campus/engine/errors'
import { openSessionOf } from './registration.ts'
import { createTeam, finishNewTeam, lead } from './teams.ts'

type RetryValues = Values & { readonly force?: boolean | null }

type Try = { readonly id: number; readonly user_id: number; readonly project_id: number }

export async function retryProject(tx: Handle, input: ActionInput<RetryValues>): Promise<number> {
  const former = await attempts(tx).where('id', '=', input.id).executeTakeFirstOrThrow()
  await beginAnother(tx, former, input)
  return input.id
}

/** Retries this project for the user of the token unless another user is named (PATCH /v2/projects/:id/retry). */
export async function retryOwnProject(
  tx: Handle,
  input: ActionInput<RetryValues & { readonly user_id?: number | null }>,
): Promise<number> {
  const { id, values, caller, ownOnly } = input
  const userId = values.user_id ?? caller.resourceOwnerId
  if (userId === null) throw unprocessable({ user_id: ["can't be blank: the token stands for nobody"] })
  if (ownOnly && userId !== caller.resourceOwnerId) throw denied('user_id')
  const former = await attempts(tx)
    .where('project_id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!former) throw notFound(message('User {user} has no part in project {project}.', { user: userId, project: id }))
  await beginAnother(tx, former, input)
  return id
}

/** Makes the user the leader of a new team. `force` skips the rules on retries. */
async function beginAnother(tx: Handle, { id, user_id, project_id }: Try, input: ActionInput<RetryValues>) {
  const { ownOnly, now } = input
  const force = input.values.force === true
  if (ownOnly && force) throw denied('force')
  const earlier = await tx.kysely
    .selectFrom('teams_users')
    .select('id')
    .where('projects_user_id', '=', id)
    .executeTakeFirst()
  if (!earlier) throw unprocessable({ base: ['there was no try yet'] })
  const session = await openSessionOf(tx, user_id, { projectId: project_id }, now)
  if (session === undefined && !force) throw unprocessable({ project_id: ['is not open to the user now'] })
  const team = { ...input, ownOnly: false, values: { project_id, ...(session ? { project_session_id: session } : {}) } }
  const teamId = await createTeam(tx, team)
  await lead(tx, teamId, user_id, now)
  await finishNewTeam(tx, { ...team, id: teamId })
}

const denied = (name: string) =>
  accessDenied(
    message(
      'You are not authorized to access this page. To write {what} needs the role Advanced Tutor, or the role Advanced Staff.',
      { what: name },
    ),
  )

const attempts = (tx: Handle) => tx.kysely.selectFrom('projects_users').select(['id', 'user_id', 'project_id'])
