import { sql } from 'kysely'
import type { ActionInput } from '../actions.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'

type Feedback = { readonly user_id: number; readonly feedbackable_type: string; readonly feedbackable_id: number }

/** The corrected speak about an evaluation that is filled, anybody about an event that exists. Throws 422. */
export async function checkFeedback(tx: Handle, { id }: ActionInput): Promise<number> {
  const { rows } = await sql<Feedback>`
    select user_id, feedbackable_type, feedbackable_id from feedbacks where id = ${id}`.execute(tx.kysely)
  const { user_id: userId, feedbackable_type: type, feedbackable_id: about } = rows[0] as Feedback
  if (type === 'Event') {
    const events = await tx.rows('select 1 from events where id = $1', [about])
    if (events.length === 0) throw unprocessable({ feedbackable_id: ['must exist'] })
    return id
  }
  const evaluation = await tx.kysely
    .selectFrom('scale_teams')
    .select(['team_id', 'filled_at'])
    .where('id', '=', about)
    .executeTakeFirst()
  if (!evaluation) throw unprocessable({ feedbackable_id: ['must exist'] })
  if (evaluation.filled_at === null)
    throw unprocessable({ feedbackable_id: ['is an evaluation that is not filled yet'] })
  const member = await tx.kysely
    .selectFrom('teams_users')
    .select('id')
    .where('team_id', '=', evaluation.team_id)
    .where('user_id', '=', userId)
    .where('validated', '=', true)
    .executeTakeFirst()
  if (!member) throw unprocessable({ user_id: ['must be one of the corrected'] })
  return id
}
