import type { Handle } from '@campus/engine/database/database'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { type Actor, isOperator, recordAudit } from '../../services/audit/audit.ts'
import { digestOf } from '../digests.ts'
import { type ApplicationValues, checkColumns, EMPTY } from './columns.ts'
import { requirePowerOverOwner } from './lock.ts'
import { refuseTooManyApplications } from './owner-limits.ts'
import { type Rights, setRights } from './rights.ts'
import { makeKey } from './secrets.ts'
import { checkRate } from './values.ts'

/** A new application with its secret, which is not stored. A public application has none. */
export type NewApplication = { readonly id: number; readonly uid: string; readonly secret: string | null }

type Creation = {
  readonly values: ApplicationValues & {
    /** Default: true. False for a program that cannot keep a secret, such as a mobile app. */
    readonly confidential?: boolean | undefined
  }
  /** The id that staff chose. */
  readonly id?: number | undefined
  readonly ownerId: number | null
  readonly rights?: Rights
  readonly actor: Actor
  readonly now: Date
  /** Errors found earlier, which are reported together with these. */
  readonly errors?: ValidationErrors
}

/** Must run in a transaction. Throws 403 and 422. */
export async function createApplication(
  tx: Handle,
  { values, id: chosen, ownerId, rights = {}, actor, now, errors = new ValidationErrors() }: Creation,
): Promise<NewApplication> {
  const { confidential = true } = values
  const columns = checkColumns(errors, values, EMPTY, { confidential, byOperator: isOperator(actor) })
  checkRate(errors, 'rate_per_second', rights.rate_per_second)
  checkRate(errors, 'rate_per_hour', rights.rate_per_hour)
  errors.throwIfAny()
  await requirePowerOverOwner(tx, actor, ownerId)
  if (ownerId !== null) await refuseTooManyApplications(tx, ownerId)
  const { uid, secret } = { uid: makeKey(), secret: confidential ? makeKey() : null }
  const { id } = await tx.kysely
    .insertInto('applications')
    .values({
      ...(chosen !== undefined && { id: chosen }),
      ...columns,
      uid,
      secret_digest: secret === null ? null : digestOf(secret),
      confidential,
      owner_id: ownerId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(tx, now, { kind: 'application_created', actor, subjectId: ownerId, applicationId: id })
  await setRights(tx, { id, ...rights, actor, now })
  return { id, uid, secret }
}
