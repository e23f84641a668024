import type { ActionInput } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { insertRow, readRow } from '../rows.ts'

type ScoreValues = {
  readonly coalition_id: number
  readonly coalitions_user_id?: number | null
  readonly calculation_id?: number | null
  readonly scoreable_id?: number | null
  readonly scoreable_type?: string | null
  readonly value: number
  readonly reason: string
}

/** Adds a score to a coalition and to the member who earned it (POST /v2/coalitions/:coalition_id/scores). */
export async function giveScore(tx: Handle, { values, now }: ActionInput<ScoreValues>): Promise<number> {
  const { coalition_id, coalitions_user_id = null, value } = values
  await addPoints(tx, coalition_id, value, now)
  if (coalitions_user_id !== null) {
    const isMember = await addPointsOfMember(tx, coalitions_user_id, value, now, coalition_id)
    if (!isMember) throw unprocessable({ coalitions_user_id: ['must belong to the coalition'] })
  }
  return insertRow(tx, 'scores', { ...values, created_at: now, updated_at: now })
}

/**
 * Subtracts the points of a score from the coalition, and from the member in whichever coalition they are now. The
 * engine has locked the score.
 */
export async function takeScoreBack(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const { coalition_id, coalitions_user_id, value } = await readRow(tx, 'scores', id, [
    'coalition_id',
    'coalitions_user_id',
    'value',
  ])
  await addPoints(tx, coalition_id, -value, now)
  if (coalitions_user_id !== null) await addPointsOfMember(tx, coalitions_user_id, -value, now)
  // The delete comes last, as the insert does, since both write shared counters of the table.
  await tx.kysely.deleteFrom('scores').where('id', '=', id).execute()
  return id
}

/** Runs before any change of members, so that concurrent scores of a coalition wait for each other here. */
async function addPoints(tx: Handle, coalitionId: number, points: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('coalitions')
    .set({ score: sql<number>`score + ${points}::integer`, updated_at: now })
    .where('id', '=', coalitionId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw unprocessable({ coalition_id: ['must exist'] })
}

/** Returns false if there is no such member in the coalition, if one is named. */
async function addPointsOfMember(
  tx: Handle,
  memberId: number,
  points: number,
  now: Date,
  coalitionId?: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('coalitions_users')
    .set({ score: sql<number>`score + ${points}::integer`, this_year_score_updated_at: now, updated_at: now })
    .where('id', '=', memberId)
    .$if(coalitionId !== undefined, (query) => query.where('coalition_id', '=', defined(coalitionId)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
