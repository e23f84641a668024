import type { ActionInput, Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { requirePower, requirePowerOverCampus } from '../../../access/powers.ts'
import { actingCaller } from '../../../services/audit/actors.ts'
import { readRow } from '../rows.ts'

/** Makes a campus the primary one of a user, and adds the user to it. Returns whether the primary campus changed. */
export async function makePrimaryCampus(tx: Handle, user_id: number, campus_id: number, now: Date): Promise<boolean> {
  await lockRow(tx, 'users', user_id)
  const present = await tx.kysely
    .selectFrom('campus_users')
    .select('id')
    .where('user_id', '=', user_id)
    .where('campus_id', '=', campus_id)
    .where('is_primary', '=', true)
    .executeTakeFirst()
  if (present) return false
  await tx.kysely
    .updateTable('campus_users')
    .set({ is_primary: false, updated_at: now })
    .where('user_id', '=', user_id)
    .where('is_primary', '=', true)
    .execute()
  await tx.kysely
    .insertInto('campus_users')
    .values({ user_id, campus_id, is_primary: true, created_at: now, updated_at: now })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'campus_id']).doUpdateSet({ is_primary: true, updated_at: now }),
    )
    .execute()
  return true
}

export async function setPrimaryCampus(
  tx: Handle,
  { id, values, caller, now }: ActionInput<Values & { readonly campus_id: number }>,
): Promise<number> {
  await moveTo(tx, id, values.campus_id, { caller, now })
  return id
}

export async function setAsPrimary(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  const { user_id, campus_id } = await readRow(tx, 'campus_users', id, ['user_id', 'campus_id'])
  await moveTo(tx, user_id, campus_id, { caller, now })
  return id
}

/** Campus membership decides which staff may administer a user, so check both the old and the new campus. */
async function moveTo(tx: Handle, userId: number, campusId: number, by: Pick<ActionInput, 'caller' | 'now'>) {
  const actor = actingCaller(by.caller)
  await requirePower(tx, actor, userId)
  await requirePowerOverCampus(tx, actor, campusId)
  await makePrimaryCampus(tx, userId, campusId, by.now)
  await requirePower(tx, actor, userId)
}
