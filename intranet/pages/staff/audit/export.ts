import { csvRow } from '@campus/engine/rest/export/csv'
import type { AuditRecord } from '../../../services/audit/audit.ts'
import { streamAuditRecords } from '../../../services/audit/find-audit-records.ts'
import { downloadCsv, page } from '../../page.ts'
import { filtersOf } from './filters.ts'

export const EXPORT_PATH = '/staff/audit/export'
/** Larger exports must be split by days. */
export const MAX_EXPORTED = 100_000

const COLUMNS = ['id', 'created_at', 'kind', 'actor', 'command', 'subject', 'application_id', 'application', 'details']

export const logExport = page({
  path: EXPORT_PATH,
  access: 'staff',
  async show(context) {
    const { database, clock } = context.dependencies
    const events = streamAuditRecords(database, await filtersOf(context), MAX_EXPORTED)
    return downloadCsv(`audit-${clock.now().toISOString().slice(0, 10)}.csv`, lines(events))
  },
})

async function* lines(events: AsyncIterable<readonly AuditRecord[]>): AsyncGenerator<string> {
  yield csvRow(COLUMNS)
  for await (const some of events) yield some.map(lineOf).join('')
}

const lineOf = (event: AuditRecord): string =>
  csvRow([
    Number(event.id),
    event.created_at.toISOString(),
    event.kind,
    event.actor,
    event.command,
    event.subject,
    event.application_id,
    event.application,
    JSON.stringify(event.details),
  ])
