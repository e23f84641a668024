import { randomBytes } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import { notFound, unprocessable } from '@campus/engine/errors'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { type Actor, recordAudit } from '../services/audit/audit.ts'
import { queueMail } from '../services/mail/queue-mail.ts'
import { isProtected, lockFactors } from './factors.ts'
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import { checkNoneRequired } from './second-factor-requirements.ts'
import { recordAddedFactor } from './sessions.ts'
import type { VerifiedPasskey } from './verify-passkey.ts'

const HANDLE_BYTES = 32
const MAX_PASSKEYS = 20
const MAX_NAME_LENGTH = 60

/** Returns the passkeys of a user without their keys, the oldest first. */
export const passkeysOf = ({ kysely }: Pick<Handle, 'kysely'>, userId: number) =>
  kysely
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'transports', 'backed_up', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()

/** Throws 404. */
export async function passkeyOf(handle: Handle, userId: number, id: number) {
  const found = (await passkeysOf(handle, userId)).find((one) => one.id === id)
  if (!found) throw notFound('You have no such passkey.')
  return found
}

/** Returns the user handle for authenticators (WebAuthn §5.4.3). Creates it with the first passkey. */
export async function passkeyHandleOf(handle: Handle, userId: number): Promise<Buffer> {
  await handle.kysely
    .insertInto('passkey_handles')
    .values({ user_id: userId, handle: randomBytes(HANDLE_BYTES) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = handle.kysely.selectFrom('passkey_handles').select('handle').where('user_id', '=', userId)
  return (await row.executeTakeFirstOrThrow()).handle
}

type Change = { readonly userId: number; readonly actor: Actor; readonly now: Date }
type Addition = Change & { readonly sessionId: number; readonly name: string; readonly passkey: VerifiedPasskey }

/**
 * Adds a verified passkey and mails the user. Ends the user's other sessions with one factor. Returns recovery codes, which
 * are not stored, if this is the first second factor. Must run in a transaction, after a proof in the session. Throws 422.
 */
export async function addPasskey(
  tx: Handle,
  { userId, sessionId, actor, now, name, passkey }: Addition,
): Promise<readonly string[]> {
  const given = checkedName(name)
  const factors = await lockFactors(tx, userId)
  if (factors.passkeys >= MAX_PASSKEYS)
    throw unprocessable({ base: ['You have twenty passkeys, which is all there may be.'] })
  const { credentialId, publicKey, counter, transports, isBackupEligible, isBackedUp } = passkey
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('passkeys')
    .values({
      user_id: userId,
      credential_id: credentialId,
      public_key: publicKey,
      counter,
      name: given,
      transports: [...transports],
      backup_eligible: isBackupEligible,
      backed_up: isBackedUp,
      created_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) throw unprocessable({ base: ['This passkey is registered already.'] })
  await recordAddedFactor(tx, { userId, sessionId, method: 'passkey', isFirst: !isProtected(factors) })
  await recordAudit(tx, now, { kind: 'passkey_added', actor, subjectId: userId, details: { name: given } })
  const details = { what: 'passkey' as const, name: given, at: now.toISOString(), address: actor.address ?? '' }
  await queueMail(tx, { kind: 'second_factor_added', userId, details, now })
  return isProtected(factors) ? [] : replaceRecoveryCodes(tx, userId)
}

/** Throws 404 and 422. */
export async function renamePasskey(
  tx: Handle,
  { userId, actor, now, id, name }: Change & { readonly id: number; readonly name: string },
): Promise<void> {
  const { name: former } = await passkeyOf(tx, userId, id)
  const next = checkedName(name)
  if (next === former) return
  await tx.kysely.updateTable('passkeys').set({ name: next }).where('id', '=', id).execute()
  const details = { name: next, former }
  await recordAudit(tx, now, { kind: 'passkey_renamed', actor, subjectId: userId, details })
}

/**
 * Removes a passkey. The last second factor ends the recovery codes. Must run in a transaction, after a proof. Throws 404, and
 * 422 if a second factor is required.
 */
export async function removePasskey(
  tx: Handle,
  { userId, actor, now, id }: Change & { readonly id: number },
): Promise<void> {
  const { appSince, passkeys } = await lockFactors(tx, userId)
  const { name } = await passkeyOf(tx, userId, id)
  const isLast = appSince === null && passkeys === 1
  if (isLast) await checkNoneRequired(tx, userId)
  await tx.kysely.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).execute()
  if (isLast) await deleteRecoveryCodes(tx, userId)
  await recordAudit(tx, now, { kind: 'passkey_removed', actor, subjectId: userId, details: { name } })
}

function checkedName(text: string): string {
  const errors = new ValidationErrors()
  const name = checkText(errors, 'name', text, { required: true, maxLength: MAX_NAME_LENGTH })
  errors.throwIfAny()
  return name ?? ''
}
