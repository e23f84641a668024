import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, unprocessable } from '@campus/engine/errors'
import { readRow } from '../rows.ts'
import { countMarks, countNewMark, uncountMarks } from './mark-experience.ts'
import { enrol } from './projects-users.ts'
import { openSessionOf } from './registration.ts'

type EnrolmentValues = { readonly user_id: number; readonly project_id: number }

/** Runs after an enrolment (POST /v2/projects_users). Users may enrol only in open projects. */
export async function finishEnrolment(
  tx: Handle,
  { id, values, ownOnly, now }: ActionInput<EnrolmentValues>,
): Promise<number> {
  const { user_id, project_id, ...more } = values
  if (ownOnly) {
    const [name] = Object.keys(more)
    if (name)
      throw accessDenied(
        message('You are not authorized to access this page. {what} needs the role Advanced Staff.', { what: name }),
      )
    const session = await openSessionOf(tx, user_id, { projectId: project_id }, now)
    if (session === undefined) throw unprocessable({ project_id: ['is not open to you now'] })
  }
  await enrol(tx, user_id, project_id, now)
  if ('final_mark' in more) await countNewMark(tx, id, now)
  return id
}

export async function finishResult(tx: Handle, { id, now }: ActionInput): Promise<number> {
  await countMarks(tx, [id], now)
  return id
}

/** Removes a user from a project (DELETE /v2/projects_users/:id). Users cannot do so once they have a team. */
export async function leaveProject(tx: Handle, { id, ownOnly, now }: ActionInput): Promise<number> {
  if (ownOnly) {
    const { user_id, project_id } = await readRow(tx, 'projects_users', id, ['user_id', 'project_id'])
    const team = await tx.kysely
      .selectFrom('teams_users as m')
      .innerJoin('teams as t', 't.id', 'm.team_id')
      .select('t.id')
      .where('m.user_id', '=', user_id)
      .where('m.validated', '=', true)
      .where('t.project_id', '=', project_id)
      .executeTakeFirst()
    if (team) throw unprocessable({ base: ['a project on which there is a team can be left through staff only'] })
  }
  await uncountMarks(tx, [id], now)
  await tx.kysely.deleteFrom('projects_users').where('id', '=', id).execute()
  return id
}
