/** The audit of one record is found by an index (`services/audit/record-audits.ts`). */
export const indexes = {
  audit_events_record: `audit_events ((details ->> 'resource'), (details ->> 'id'), id) where kind = 'record_written'`,
} as const

/** Nothing else. */
export const up = async (): Promise<void> => {}
