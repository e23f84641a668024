import { sql } from 'kysely'
import type { Handle } from '../../database/database.ts'
import { type AuditRecord, readAuditRecords } from './audit.ts'

/** What was written of a record by staff, the latest first; an index finds it. */
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
