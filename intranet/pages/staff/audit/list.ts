import { AUDIT_KINDS, type AuditRecord } from '../../../services/audit/audit.ts'
import { findAuditRecords } from '../../../services/audit/find-audit-records.ts'
import { auditText } from '../../audit-texts.ts'
import { empty, table } from '../../components.ts'
import { filterForm } from '../../filter-form.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import { type PageContext, page, pageContent } from '../../page.ts'
import { pageLinks, partOf, shownOf } from '../../paging.ts'
import { timeOf } from '../../times.ts'
import { EXPORT_PATH, MAX_EXPORTED } from './export.ts'
import { filtersOf } from './filters.ts'
import { KIND_NAMES } from './kinds.ts'

/** /staff/audit: what was done at the whole school, by whom, to whom and when. Addresses of users are not shown. */
export const log = page({
  path: '/staff/audit',
  access: 'staff',
  async show(context) {
    const part = partOf(context)
    const found = await findAuditRecords(context.dependencies.database, await filtersOf(context), part)
    return pageContent(
      say('Audit log'),
      html`
      <p>${say('What was done to accounts, applications and webservices in the last year. Nobody can sign in as somebody else, not even staff: the person named here did it.')}</p>
      ${filters(context)}
      ${
        found.length === 0
          ? empty(say('Nothing found. Logins and names of applications are looked for as a whole.'))
          : html`
      <p><a href="${EXPORT_PATH}${queryOf(context)}" download>${say('Export as CSV')}</a>
        <span class="quiet">${say('the latest {most, number} of them at most', { most: MAX_EXPORTED })}</span></p>
      ${table(
        say('Audit log'),
        [say('When'), say('What'), say('By'), say('On')],
        shownOf(found).map((event) => [
          timeOf(context, event.created_at),
          auditText(event),
          actorOf(event),
          subjectOf(event),
        ]),
      )}`
      }
      ${pageLinks(context, part, found.length)}`,
    )
  },
})

const filters = (context: PageContext): Html =>
  filterForm(context, say('Events to show'), [
    { name: 'actor', label: say('Who did it (a login)'), type: 'search' },
    { name: 'about', label: say('To whom, or to which application'), type: 'search' },
    {
      name: 'kind',
      label: say('Kind'),
      choices: AUDIT_KINDS.map((kind) => ({ value: kind, label: KIND_NAMES[kind]() })),
    },
    { name: 'from', label: say('From'), type: 'date' },
    { name: 'to', label: say('To'), type: 'date' },
  ])

/** The same filters, from the first page on. */
function queryOf({ path }: PageContext): string {
  const query = new URLSearchParams(path.split('?')[1])
  query.delete('page')
  return query.size === 0 ? '' : `?${query}`
}

/** What these are about is the application; with others it is that through which something was done. */
const ABOUT_APPLICATION = /^(application|consent|rates|roles|secret|tokens)_/

function actorOf({ actor, actor_id, command, kind, application }: AuditRecord): Html | string {
  const through = application !== null && !ABOUT_APPLICATION.test(kind) ? application : undefined
  if (actor !== null) {
    const person = html`<a href="/staff/users/${actor_id}">${actor}</a>`
    return through === undefined ? person : sayWith('{person} through {application}', { person, application: through })
  }
  return command === null ? (through ?? say('the service')) : say('the command line')
}

const subjectOf = ({ subject, subject_id }: AuditRecord): Html | string =>
  subject === null ? '' : html`<a href="/staff/users/${subject_id}">${subject}</a>`
