import { recordAuditsOf } from '../../../services/audit/record-audits.ts'
import { auditList } from '../../audit-texts.ts'
import { type Html, html, say } from '../../html.ts'
import type { PersonPageContext } from '../../page-context.ts'
import type { Routed } from './resource.ts'

const SHOWN = 20

/** Who wrote a record on these pages, the latest first. */
export async function historyOf(context: PersonPageContext, { name }: Routed, id: number): Promise<Html> {
  const found = await recordAuditsOf(context.dependencies.database, { resource: name, id }, SHOWN)
  return html`<h2>${say('History')}</h2>${auditList(context, found, { personId: undefined })}`
}
