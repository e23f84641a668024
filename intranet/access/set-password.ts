import type { Handle } from '@campus/engine/database/database'
import { ValidationErrors } from '@campus/engine/validation-errors'
import type { Actor } from '../services/audit/audit.ts'
import { attachSecrets } from '../webhooks/attach-secrets.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { recordAccountChange } from './account-changes.ts'
import { renewCalendar } from './calendars.ts'
import { endPasswordResets, revokeTokensFor } from './end-access.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'

type NewPassword = {
  readonly userId: number
  /** In clear, for delivery to endpoints. */
  readonly password: string
  /** Delivered with the password. */
  readonly meta?: object | null
  /** Default: `password_changed`. */
  readonly kind?: 'password_changed' | 'password_reset'
  readonly actor: Actor
  readonly now: Date
  /** A session that stays valid, and whether tokens of applications stay valid. */
  readonly except?: { readonly sessionId: number; readonly applications: boolean }
}

/**
 * Sets a person's password, delivers it to endpoints, and ends access gained under the former one: sessions, reset links,
 * calendar addresses, and tokens that act for the person. Must run in a transaction. Throws 422.
 */
export async function setPassword(
  tx: Handle,
  sealing: Sealing,
  { userId, password, meta = null, kind = 'password_changed', actor, now, except }: NewPassword,
): Promise<void> {
  const errors = new ValidationErrors()
  checkPassword(errors, password)
  errors.throwIfAny()
  await tx.kysely
    .updateTable('users')
    .set({ password_digest: await hashPassword(password), updated_at: now })
    .where('id', '=', userId)
    .execute()
  await attachSecrets(tx, sealing, { userId, password, meta, now })
  await endSessions(tx, userId, except?.sessionId)
  await endPasswordResets(tx, userId)
  await forgetBrowsers(tx, userId)
  await renewCalendar(tx, userId)
  if (!except?.applications) await revokeTokensFor(tx, now, { userId })
  await recordAccountChange(tx, now, { kind, actor, subjectId: userId })
}
