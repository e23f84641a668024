import type { Handle } from '@campus/engine/database/database'
import { type AuditEntry, type AuditKind, recordAudit } from '../services/audit/audit.ts'
import type { AccountChange } from '../services/mail/mail-kinds.ts'
import { queueMail } from '../services/mail/queue-mail.ts'

type Change = AuditEntry & {
  readonly kind: AuditKind & AccountChange
  readonly subjectId: number
  /** The former address, where it was changed; it is notified, too. */
  readonly formerEmail?: string | undefined
}

/**
 * Records a change of an account, and mails its user where another person made it, or a command about this account. To
 * be run in the transaction of the change.
 */
export async function recordAccountChange(tx: Handle, now: Date, { formerEmail, ...event }: Change): Promise<void> {
  await recordAudit(tx, now, event)
  const { kind, actor, subjectId: userId } = event
  const isByOther = actor.userId === null ? isByProgram(event) : actor.userId !== userId
  if (!isByOther) return
  const { userId: actorId, applicationId, command, address } = actor
  const details = { what: kind, at: now.toISOString(), actorId, applicationId, command, address }
  await queueMail(tx, { kind: 'account_changed', userId, details, now })
  if (formerEmail)
    await queueMail(tx, { kind: 'account_changed', userId, details: { ...details, to: formerEmail }, now })
}

/** Bulk imports and programs are recorded without a mail; what lets someone sign in is always mailed. */
const isByProgram = ({ kind, actor: { applicationId, command } }: AuditEntry): boolean =>
  command === undefined ? applicationId != null && kind !== 'account_changed' : command !== 'import'
