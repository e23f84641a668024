import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { unprocessable } from '../../errors.ts'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import { ValidationErrors } from '../../validation-errors.ts'
import { digestOf } from '../digests.ts'
import { type ApplicationValues, checkColumns, EMPTY } from './columns.ts'
import { requirePowerOverOwner } from './lock.ts'
import { type Rights, setRights } from './rights.ts'
import { makeKey } from './secrets.ts'
import { checkRate } from './values.ts'

/** A new application. The secret is shown only here; an application that cannot keep one has none. */
export type NewApplication = { readonly id: number; readonly uid: string; readonly secret: string | null }

type Creation = {
  readonly values: ApplicationValues & {
    /** True by default; false for a program that cannot keep a secret, such as a mobile app. */
    readonly confidential?: boolean | undefined
  }
  /** The owner; null for none. */
  readonly ownerId: number | null
  readonly rights?: Rights
  readonly actor: Actor
  readonly now: Date
  /** What is wrong already, to be named along. */
  readonly errors?: ValidationErrors
}

const MAX_APPLICATIONS = 50

/** Creates an application, with or without an owner. To be run in a transaction. Throws 403 and 422. */
export async function createApplication(
  tx: Handle,
  { values, ownerId, rights = {}, actor, now, errors = new ValidationErrors() }: Creation,
): Promise<NewApplication> {
  const { confidential = true } = values
  const columns = checkColumns(errors, values, EMPTY, confidential)
  checkRate(errors, 'rate_per_second', rights.rate_per_second)
  checkRate(errors, 'rate_per_hour', rights.rate_per_hour)
  errors.throwIfAny()
  await requirePowerOverOwner(tx, actor, ownerId)
  if (ownerId !== null && ownerId === actor.userId) await refuseTooMany(tx, ownerId)
  const { uid, secret } = { uid: makeKey(), secret: confidential ? makeKey() : null }
  const { id } = await tx.kysely
    .insertInto('applications')
    .values({
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

async function refuseTooMany(tx: Handle, ownerId: number): Promise<void> {
  // Two registrations of one owner at the same time wait here, so that both are counted.
  await tx.kysely.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute()
  const rows = await tx.kysely.selectFrom('applications').select('id').where('owner_id', '=', ownerId).execute()
  if (rows.length < MAX_APPLICATIONS) return
  throw unprocessable({
    base: [message('You have {count} applications already; delete one that is not used.', { count: rows.length })],
  })
}
