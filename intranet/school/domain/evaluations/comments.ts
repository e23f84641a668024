import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import type { About } from './feedbackables.ts'

/** Copies comment and rating of the first feedback to the evaluation (spec: evaluations 16). */
export async function showFirst(tx: Handle, { type, id }: About, now: Date): Promise<void> {
  if (type !== 'ScaleTeam') return
  // Locks the evaluation, since each of two concurrent feedbacks would take itself for the first.
  await sql`select 1 from scale_teams where id = ${id} for no key update`.execute(tx.kysely)
  await sql`
    update scale_teams t set feedback = f.comment, feedback_rating = f.rating, updated_at = ${now}
    from (values (1)) one left join lateral
      (select comment, rating from feedbacks where scale_team_id = ${id} order by id limit 1) f on true
    where t.id = ${id} and (t.feedback, t.feedback_rating) is distinct from (f.comment, f.rating)`.execute(tx.kysely)
}

/** Throws 422 if a feedback already sets these fields of the evaluation. */
export async function requireNoFeedback(tx: Handle, scaleTeamId: number, names: readonly string[]): Promise<void> {
  const first = await tx.kysely
    .selectFrom('feedbacks')
    .select('id')
    .where('scale_team_id', '=', scaleTeamId)
    .orderBy('id')
    .executeTakeFirst()
  if (first)
    throw unprocessable(Object.fromEntries(names.map((name) => [name, [message('is said by feedback {id}', first)]])))
}
