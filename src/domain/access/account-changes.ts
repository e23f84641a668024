import { type AuditEvent, type AuditKind, recordAudit } from '../../audit/audit.ts'
import type { Handle } from '../../database/database.ts'
import type { AccountChange } from '../../mail/mail-kinds.ts'
import { queueMail } from '../../mail/queue-mail.ts'

type Change = AuditEvent & {
  readonly kind: AuditKind & AccountChange
  readonly subjectId: number
  /** Of an address that has changed, the former one, which is told, too. */
  readonly formerEmail?: string | undefined
}

/**
 * Records what was done to an account, and has the person told by mail where somebody else did it: another person, or a
 * command about this one account. To be run in the transaction of the change.
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

/** Imports and programs that keep many accounts up to date are recorded alone; what lets somebody in is told in any case. */
const isByProgram = ({ kind, actor: { applicationId, command } }: AuditEvent): boolean =>
  command === undefined ? applicationId != null && kind !== 'account_changed' : command !== 'import'
