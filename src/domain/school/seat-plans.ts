import type { Handle } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'

/** A floor as staff drew it; `svg` is clean (`clean-plan.ts`). */
export type SeatPlan = { readonly id: number; readonly name: string; readonly svg: string }

/** The plans of a campus by name. */
export const seatPlansOf = ({ kysely }: Pick<Handle, 'kysely'>, campusId: number): Promise<SeatPlan[]> =>
  kysely
    .selectFrom('seat_plans')
    .select(['id', 'name', 'svg'])
    .where('campus_id', '=', campusId)
    .orderBy('name')
    .execute()

type Saved = Omit<SeatPlan, 'id'> & { readonly campusId: number; readonly actor: Actor; readonly now: Date }

/** Stores a plan; one of the same name is replaced. */
export async function saveSeatPlan(tx: Handle, { campusId, name, svg, actor, now }: Saved): Promise<void> {
  const { id } = await tx.kysely
    .insertInto('seat_plans')
    .values({ campus_id: campusId, name, svg, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['campus_id', 'name']).doUpdateSet({ svg, updated_at: now }))
    .returning('id')
    .executeTakeFirstOrThrow()
  await record(tx, { id, action: 'update', actor, now })
}

type Chosen = { readonly id: number; readonly campusId: number; readonly actor: Actor; readonly now: Date }

/** Deletes a plan; the floor is drawn from what was seen again. Throws 404. */
export async function deleteSeatPlan(tx: Handle, { id, campusId, actor, now }: Chosen): Promise<void> {
  const { numDeletedRows } = await tx.kysely
    .deleteFrom('seat_plans')
    .where('id', '=', id)
    .where('campus_id', '=', campusId)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw notFound('There is no such plan.')
  await record(tx, { id, action: 'destroy', actor, now })
}

type Written = { readonly id: number; readonly action: string; readonly actor: Actor; readonly now: Date }

const record = (tx: Handle, { id, action, actor, now }: Written) =>
  recordAudit(tx, now, {
    kind: 'record_written',
    actor,
    subjectId: null,
    details: { resource: 'seat_plans', id: String(id), action, fields: 'svg' },
  })
