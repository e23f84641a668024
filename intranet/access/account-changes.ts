import type { Handle } from '@campus/engine/database/database'
import { type AuditEntry, type AuditKind, recordAudit } from '../services/audit/audit.ts'
import type { AccountChange } from '../services/mail/mail-kinds.ts'
import { queueMail } from '../services/mail/queue-mail.ts'

type Change = AuditEntry & {
  readonly kind: AuditKind & AccountChange
  readonly subjectId: number
  /** Former e-mail address, if it was changed. It gets the mail, too. */
  readonly formerEmail?: string | undefined
}

/**
 * Records a change of an account in the transaction of the change. Mails the user if another person or a command for
 * this account made the change.
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

/** Imports and programs are recorded without a mail, except for changes of how a person signs in. */
const isByProgram = ({ kind, actor: { applicationId, command } }: AuditEntry): boolean =>
  command === undefined ? applicationId != null && kind !== 'account_changed' : command !== 'import'
