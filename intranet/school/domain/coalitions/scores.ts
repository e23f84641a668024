import type { ActionInput } from '@campus/engine/actions'
import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'

type ScoreValues = {
  readonly coalition_id: number
  readonly coalitions_user_id?: number | null
  readonly calculation_id?: number | null
  readonly scoreable_id?: number | null
  readonly scoreable_type?: string | null
  readonly value: number
  readonly reason: string
}

/** Gives a coalition points, and the member who brought them (POST /v2/coalitions/:coalition_id/scores). */
export async function giveScore(tx: Handle, { values, now }: ActionInput<ScoreValues>): Promise<number> {
  const { coalition_id, coalitions_user_id = null, value } = values
  await addPoints(tx, coalition_id, value, now)
  if (coalitions_user_id !== null) {
    const isMember = await addPointsOfMember(tx, coalitions_user_id, value, now, coalition_id)
    if (!isMember) throw unprocessable({ coalitions_user_id: ['must belong to the coalition'] })
  }
  const { id } = await tx.kysely
    .insertInto('scores')
    .values({ ...values, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Takes points back from whom they were given: the coalition, and the member wherever they belong by now. The score is locked. */
export async function takeScoreBack(tx: Handle, { id, now }: ActionInput): Promise<number> {
  const { coalition_id, coalitions_user_id, value } = await tx.kysely
    .selectFrom('scores')
    .select(['coalition_id', 'coalitions_user_id', 'value'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await addPoints(tx, coalition_id, -value, now)
  if (coalitions_user_id !== null) await addPointsOfMember(tx, coalitions_user_id, -value, now)
  // Last, as giving does it: the rows of the table are counted in rows that writers share.
  await tx.kysely.deleteFrom('scores').where('id', '=', id).execute()
  return id
}

/** Comes before anything about its members, so that those who give points at once wait for each other here. */
async function addPoints(tx: Handle, coalitionId: number, points: number, now: Date): Promise<void> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('coalitions')
    .set({ score: sql<number>`score + ${points}::integer`, updated_at: now })
    .where('id', '=', coalitionId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw unprocessable({ coalition_id: ['must exist'] })
}

/** Gives whether there is such a member, of the coalition where one is named. */
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
