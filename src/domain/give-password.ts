import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { attachSecrets } from '../webhooks/attach-secrets.ts'
import type { Sealing } from '../webhooks/sealing.ts'
import { endPasswordResets, revokeTokensFor } from './end-access.ts'
import { forgetBrowsers } from './known-browsers.ts'
import { endSessions } from './sessions.ts'

type NewPassword = {
  readonly userId: number
  /** In clear, for the campuses' webservices. */
  readonly password: string
  readonly digest: string
  /** Delivered to the campuses beside it. */
  readonly meta?: object | null
  readonly kind: 'password_changed' | 'password_reset'
  readonly actor: Actor
  /** What goes on although the password is another one; nothing unless said. */
  readonly kept?: { readonly sessionId: number; readonly applications: boolean }
}

/**
 * Gives a person another password, delivers it to the campuses, and ends what was begun under the former one: sessions, reset
 * links, and the tokens that act for the person. To be run in a transaction.
 */
export async function givePassword(tx: Handle, now: Date, sealing: Sealing, given: NewPassword): Promise<void> {
  const { userId, password, digest, meta = null, kind, actor, kept } = given
  await tx.kysely
    .updateTable('users')
    .set({ password_digest: digest, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await attachSecrets(tx, sealing, userId, { password, meta })
  await endSessions(tx, userId, kept?.sessionId)
  await endPasswordResets(tx, userId)
  await forgetBrowsers(tx, userId)
  if (!kept?.applications) await revokeTokensFor(tx, now, { userId })
  await recordAudit(tx, now, { kind, actor, subjectId: userId })
}
