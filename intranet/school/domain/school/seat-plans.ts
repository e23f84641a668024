import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { notFound, unprocessable } from '@campus/engine/errors'
import type { Actor } from '../../../services/audit/audit.ts'
import { recordWrite } from '../../../services/audit/record-audits.ts'

/** Maximum number of plans of a campus. Pages read only the first plans up to this number. */
export const MAX_SEAT_PLANS = 20

type Saved = {
  readonly campusId: number
  readonly name: string
  /** The text that `planToStore` returned. */
  readonly svg: string
  readonly actor: Actor
  readonly now: Date
}

/** Stores or replaces a plan. Throws 422 if the campus has too many plans. */
export async function saveSeatPlan(tx: Handle, { campusId, name, svg, actor, now }: Saved): Promise<void> {
  // Locks the campus, so that concurrent requests count each other's plans.
  await lockRow(tx, 'campus', campusId)
  const others = await tx.kysely
    .selectFrom('seat_plans')
    .select('id')
    .where('campus_id', '=', campusId)
    .where('name', '!=', name)
    .limit(MAX_SEAT_PLANS)
    .execute()
  if (others.length >= MAX_SEAT_PLANS)
    throw unprocessable({
      base: [message('A campus can have at most {most} drawings. Delete a drawing first.', { most: MAX_SEAT_PLANS })],
    })
  const { id } = await tx.kysely
    .insertInto('seat_plans')
    .values({ campus_id: campusId, name, svg, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['campus_id', 'name']).doUpdateSet({ svg, updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordWrite(tx, { resource: 'seat_plans', id, fields: ['svg'], action: 'update', actor, now })
}

type Chosen = { readonly id: number; readonly campusId: number; readonly actor: Actor; readonly now: Date }

/** Throws 404. */
export async function deleteSeatPlan(tx: Handle, { id, campusId, actor, now }: Chosen): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('seat_plans')
    .where('id', '=', id)
    .where('campus_id', '=', campusId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('There is no such plan.')
  await recordWrite(tx, { resource: 'seat_plans', id, fields: ['svg'], action: 'destroy', actor, now })
}
