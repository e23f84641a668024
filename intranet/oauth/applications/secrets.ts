import { randomBytes } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { type Actor, recordAudit } from '../../services/audit/audit.ts'
import { queueMail } from '../../services/mail/queue-mail.ts'
import { digestOf } from '../digests.ts'
import { revokeTokensOf } from '../token-families.ts'
import { lockApplication, requirePowerOverOwner } from './lock.ts'

/** Days for which a former secret may stay valid, the default first. Choose 0 for a leaked secret. */
export const GRACE_CHOICES = [7, 1, 0] as const

/** Time before the end of a former secret at which its owner is mailed. */
const WARNED_DAYS = 2

type Rotation = {
  readonly id: number
  readonly graceDays?: number
  readonly actor: Actor
  readonly now: Date
}

/**
 * Gives an application a new secret, which is not stored. The former one is accepted for the grace period. Without a grace
 * period, every token and code issued under it ends too. Must run in a transaction. Throws 404, and 422 for a public
 * application.
 */
export async function rotateSecret(tx: Handle, { id, graceDays = GRACE_CHOICES[0], actor, now }: Rotation) {
  const { owner_id, confidential } = await lockApplication(tx, id)
  await requirePowerOverOwner(tx, actor, owner_id)
  if (!confidential) throw unprocessable({ base: ['This application has no secret, since it cannot keep one.'] })
  const secret = makeKey()
  const validUntil = new Date(now.getTime() + graceDays * 86_400_000)
  const row = await tx.kysely
    .updateTable('applications')
    .set(({ ref }) => ({
      previous_secret_digest: graceDays === 0 ? null : ref('secret_digest'),
      previous_secret_valid_until: graceDays === 0 ? null : validUntil,
      secret_digest: digestOf(secret),
      updated_at: now,
    }))
    .where('id', '=', id)
    .returning(['id', 'uid', 'name', 'previous_secret_valid_until'])
    .executeTakeFirstOrThrow()
  if (graceDays === 0) await revokeTokensOf(tx, now, id)
  await dropWarnings(tx, id, owner_id)
  if (owner_id !== null && graceDays > 0) {
    const dueAt = new Date(validUntil.getTime() - Math.min(WARNED_DAYS, graceDays / 2) * 86_400_000)
    const details = { applicationId: id, until: validUntil.toISOString() }
    await queueMail(tx, { kind: 'secret_ending', userId: owner_id, details, now, dueAt })
  }
  const details = { grace_days: String(graceDays) }
  await recordAudit(tx, now, { kind: 'secret_rotated', actor, subjectId: owner_id, applicationId: id, details })
  return { ...row, secret }
}

/** Deletes pending mails about former secrets that the rotation has replaced. */
async function dropWarnings({ kysely }: Handle, id: number, ownerId: number | null): Promise<void> {
  await sql`
    delete from mails where user_id = ${ownerId} and kind = 'secret_ending' and decided_at is null
      and (details->>'applicationId')::int = ${id}`.execute(kysely)
}

/** Reports whether the application has this secret now. A former secret in its grace period does not count. */
export async function isCurrentSecret(
  handle: Handle,
  { uid, secret }: { uid: string; secret: string },
): Promise<boolean> {
  const row = await handle.kysely
    .selectFrom('applications')
    .select('id')
    .where('uid', '=', uid)
    .where('secret_digest', '=', digestOf(secret))
    .executeTakeFirst()
  return row !== undefined
}

/** 256 random bits as hex digits. */
export const makeKey = () => randomBytes(32).toString('hex')
