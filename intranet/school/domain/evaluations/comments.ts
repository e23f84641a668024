import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import type { About } from './feedbackables.ts'

/** `feedback` and `feedback_rating` of an evaluation are those of its first feedback (spec: evaluations 16). */
export async function showFirst(tx: Handle, { type, id }: About, now: Date): Promise<void> {
  if (type !== 'ScaleTeam') return
  // Held first, or of two feedbacks that come at once each would take itself for the first.
  await sql`select 1 from scale_teams where id = ${id} for no key update`.execute(tx.kysely)
  await sql`
    update scale_teams t set feedback = f.comment, feedback_rating = f.rating, updated_at = ${now}
    from (values (1)) one left join lateral
      (select comment, rating from feedbacks where scale_team_id = ${id} order by id limit 1) f on true
    where t.id = ${id} and (t.feedback, t.feedback_rating) is distinct from (f.comment, f.rating)`.execute(tx.kysely)
}

/** Refuses to write the remark of an evaluation beside a feedback that says it. Throws 422. */
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
