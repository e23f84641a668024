import { namesOf } from '@campus/engine/base/narrow'
import type { Handle } from '@campus/engine/database/database'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { type Actor, isOperator, recordAudit } from '../../services/audit/audit.ts'
import { type ApplicationValues, checkColumns } from './columns.ts'
import { lockApplication, requirePowerOverOwner } from './lock.ts'
import { refuseTooManyApplications, refuseTooManyWebhooks } from './owner-limits.ts'

type Change = {
  readonly id: number
  readonly values: ApplicationValues
  /** Default: unchanged. */
  readonly ownerId?: number | null | undefined
  readonly actor: Actor
  readonly now: Date
  /** Errors found earlier, which are reported together with these. */
  readonly errors?: ValidationErrors
}

/** Changes the details and the owner of an application. Must run in a transaction. Throws 403, 404 and 422. */
export async function changeApplication(
  tx: Handle,
  { id, values, ownerId, actor, now, errors = new ValidationErrors() }: Change,
): Promise<void> {
  const present = await lockApplication(tx, id)
  await requirePowerOverOwner(tx, actor, present.owner_id)
  const columns = {
    ...checkColumns(errors, values, present, { confidential: present.confidential, byOperator: isOperator(actor) }),
    owner_id: ownerId === undefined ? present.owner_id : ownerId,
  }
  errors.throwIfAny()
  const names = namesOf(columns)
  const changed = names.filter((name) => JSON.stringify(columns[name]) !== JSON.stringify(present[name]))
  if (changed.length === 0) return
  await requirePowerOverOwner(tx, actor, columns.owner_id)
  if (columns.owner_id !== null && columns.owner_id !== present.owner_id) await refuseTransfer(tx, id, columns.owner_id)
  await tx.kysely
    .updateTable('applications')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = { fields: changed.join(', ') }
  const subjectId = columns.owner_id
  await recordAudit(tx, now, { kind: 'application_changed', actor, subjectId, applicationId: id, details })
}

/** Throws 422 if the new owner would exceed a limit per person. */
async function refuseTransfer(tx: Handle, id: number, ownerId: number): Promise<void> {
  await refuseTooManyApplications(tx, ownerId)
  const { count } = await tx.kysely
    .selectFrom('webhooks')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('application_id', '=', id)
    .executeTakeFirstOrThrow()
  await refuseTooManyWebhooks(tx, ownerId, Number(count))
}
