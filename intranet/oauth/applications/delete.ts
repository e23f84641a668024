import type { Handle } from '@campus/engine/database/database'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import { lockApplication, requirePowerOverOwner } from './lock.ts'

/** Deletes an application and all of its tokens. Must run in a transaction. Throws 403 and 404. */
export async function deleteApplication(
  tx: Handle,
  { id, actor, now }: { readonly id: number; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const { owner_id, name } = await lockApplication(tx, id)
  await requirePowerOverOwner(tx, actor, owner_id)
  await tx.kysely.deleteFrom('applications').where('id', '=', id).execute()
  // An application may delete itself.
  const through = actor.applicationId === id ? { ...actor, applicationId: null } : actor
  const event = { kind: 'application_deleted', actor: through, subjectId: owner_id, details: { name } } as const
  await recordAudit(tx, now, event)
}
