import type { ActionInput } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { actingCaller } from '../../../services/audit/actors.ts'
import { type Actor, recordAudit } from '../../../services/audit/audit.ts'

export const alumnize = (tx: Handle, input: ActionInput): Promise<number> => move(tx, input, true)

export const dealumnize = (tx: Handle, input: ActionInput): Promise<number> => move(tx, input, false)

async function move(tx: Handle, { id, caller, now }: ActionInput, isAlumnus: boolean): Promise<number> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('users')
    .set(({ eb }) => ({
      alumnized_at: isAlumnus ? now : null,
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', id)
    .where('alumnized_at', isAlumnus ? 'is' : 'is not', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) await recordAlumniMove(tx, now, { userId: id, isAlumnus, actor: actingCaller(caller) })
  return id
}

type AlumniMove = { readonly userId: number; readonly isAlumnus: boolean; readonly actor: Actor }

export const recordAlumniMove = (tx: Handle, now: Date, { userId, isAlumnus, actor }: AlumniMove): Promise<void> =>
  recordAudit(tx, now, { kind: isAlumnus ? 'alumnized' : 'dealumnized', actor, subjectId: userId })
