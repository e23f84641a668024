import { AUDIT_KINDS } from '../../../services/audit/audit.ts'
import type { AuditFilter } from '../../../services/audit/find-audit-records.ts'
import { beginOfDay } from '../../../webhooks/overview.ts'
import { endOfDay, readDay } from '../../days.ts'
import { chosenOf } from '../../filter-form.ts'
import type { PageContext } from '../../page-context.ts'

/** Ignores invalid words and days. */
export async function filtersOf(context: PageContext): Promise<AuditFilter> {
  const { database } = context.dependencies
  const text = (name: string) => context.query.text(name).trim() || undefined
  const dayOf = (name: string) => {
    const read = readDay(context.query.text(name))
    return read && 'day' in read ? read.day : undefined
  }
  const [from, to] = [dayOf('from'), dayOf('to')]
  return {
    actor: text('actor'),
    kind: chosenOf(context, 'kind', AUDIT_KINDS),
    about: text('about'),
    from: from === undefined ? undefined : await beginOfDay(database, from, context.timeZone),
    until: to === undefined ? undefined : await endOfDay(database, to, context.timeZone),
  }
}
