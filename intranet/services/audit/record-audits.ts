import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { type Actor, type AuditRecord, readAuditRecords, recordAudit } from './audit.ts'

type Written = {
  readonly resource: string
  readonly id: number
  readonly action: string
  readonly fields?: readonly string[]
  readonly actor: Actor
  readonly now: Date
}

/** Records that staff wrote a record. */
export const recordWrite = (tx: Handle, { resource, id, action, fields = [], actor, now }: Written): Promise<void> =>
  recordAudit(tx, now, {
    kind: 'record_written',
    actor,
    subjectId: resource === 'users' && action !== 'destroy' ? id : null,
    details: { resource, id: String(id), action, fields: fields.join(', ') },
  })

/** Returns the writes of staff to a record, the latest first. An index finds them. */
export const recordAuditsOf = (
  handle: Handle,
  { resource, id }: { readonly resource: string; readonly id: number },
  limit: number,
): Promise<AuditRecord[]> =>
  readAuditRecords(handle)
    .where('audit_events.kind', '=', 'record_written')
    .where(sql<boolean>`details ->> 'resource' = ${resource} and details ->> 'id' = ${String(id)}`)
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .execute()
