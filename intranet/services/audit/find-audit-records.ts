import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { sameName } from '@campus/engine/database/same-name'
import { sql } from 'kysely'
import { type AuditKind, type AuditRecord, readAuditRecords } from './audit.ts'

/** Absent fields do not restrict. */
export type AuditFilter = {
  /** Login of the actor. */
  readonly actor?: string | undefined
  readonly kind?: AuditKind | undefined
  /** Login of the affected person, or name of the affected application. */
  readonly about?: string | undefined
  readonly from?: Date | undefined
  readonly until?: Date | undefined
}

/** Returns audit records of the whole school, the latest first. */
export const findAuditRecords = (
  handle: Handle,
  filter: AuditFilter,
  part: { readonly limit: number; readonly offset: number },
): Promise<AuditRecord[]> => filteredRecords(handle, filter).limit(part.limit).offset(part.offset).execute()

const AT_A_TIME = 1_000

/** Streams up to a maximum of audit records. */
export async function* streamAuditRecords(
  handle: Handle,
  filter: AuditFilter,
  limit: number,
): AsyncGenerator<readonly AuditRecord[]> {
  let last: AuditRecord | undefined
  for (let left = limit; left > 0; ) {
    const limit = Math.min(AT_A_TIME, left)
    const found = await filteredRecords(handle, filter, last).limit(limit).execute()
    if (found.length > 0) yield found
    if (found.length < limit) return
    left -= found.length
    last = found.at(-1)
  }
}

function filteredRecords(handle: Handle, filter: AuditFilter, after?: AuditRecord) {
  const { actor, kind, about, from, until } = filter
  return readAuditRecords(handle)
    .$if(actor !== undefined, (query) =>
      query.where('actor_id', '=', sql<number>`(select id from users where ${sameName('login', defined(actor))})`),
    )
    .$if(kind !== undefined, (query) => query.where('audit_events.kind', '=', defined(kind)))
    .$if(about !== undefined, (query) =>
      query.where(
        sql<boolean>`(audit_events.subject_id = (select id from users where ${sameName('login', defined(about))})
          or audit_events.application_id in (select id from applications where ${sameName('name', defined(about))}))`,
      ),
    )
    .$if(from !== undefined, (query) => query.where('audit_events.created_at', '>=', defined(from)))
    .$if(until !== undefined, (query) => query.where('audit_events.created_at', '<', defined(until)))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<boolean>`(audit_events.created_at, audit_events.id) < (${after?.created_at}, ${after?.id}::bigint)`,
      ),
    )
    .orderBy('audit_events.created_at', 'desc')
    .orderBy('audit_events.id', 'desc')
}
