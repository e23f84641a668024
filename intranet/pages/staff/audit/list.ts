import { csvRow } from '@campus/engine/rest/export/csv'
import { AUDIT_KINDS, type AuditKind, type AuditRecord } from '../../../services/audit/audit.ts'
import { type AuditFilter, findAuditRecords, streamAuditRecords } from '../../../services/audit/find-audit-records.ts'
import { beginOfDay } from '../../../webhooks/overview.ts'
import { auditText } from '../../audit-texts.ts'
import { empty, table } from '../../components.ts'
import { endOfDay, readDay } from '../../days.ts'
import { chosenOf, filterForm } from '../../filter-form.ts'
import { type Html, html, say, sayWith } from '../../html.ts'
import { downloadCsv, type PageContext, page, pageContent } from '../../page.ts'
import { pageLinks, partOf, shownOf } from '../../paging.ts'
import { timeOf } from '../../times.ts'

/** Hides the addresses of users. */
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

/** Keeps the filters, without the page. */
function queryOf({ path }: PageContext): string {
  const query = new URLSearchParams(path.split('?')[1])
  query.delete('page')
  return query.size === 0 ? '' : `?${query}`
}

/** Kinds of events about an application. Other events only happened through one. */
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

const KIND_NAMES: Readonly<Record<AuditKind, () => string>> = {
  account_anonymized: () => say('account anonymized'),
  account_changed: () => say('account changed'),
  account_closed: () => say('account closed'),
  account_created: () => say('account opened'),
  account_unclosed: () => say('account opened again'),
  administrator_added: () => say('made an administrator'),
  administrator_removed: () => say('no administrator any more'),
  alumnized: () => say('made an alumnus'),
  announcement_sent: () => say('campus notified'),
  application_changed: () => say('application changed'),
  application_created: () => say('application registered'),
  application_deleted: () => say('application deleted'),
  close_added: () => say('further close of a closed account'),
  close_lifted: () => say('one of several closes lifted'),
  consent_denied: () => say('consent refused'),
  consent_given: () => say('consent given'),
  consent_revoked: () => say('consent taken back'),
  dealumnized: () => say('no alumnus any more'),
  deliveries_replayed: () => say('deliveries replayed'),
  endpoint_changed: () => say('webservice changed'),
  endpoint_created: () => say('webservice registered'),
  endpoint_switched_off: () => say('webservice switched off'),
  endpoint_switched_on: () => say('webservice switched on'),
  passkey_added: () => say('passkey added'),
  passkey_removed: () => say('passkey removed'),
  passkey_renamed: () => say('passkey renamed'),
  passkey_suspected: () => say('passkey refused, maybe copied'),
  password_changed: () => say('password changed'),
  password_reset: () => say('password chosen through a link'),
  rates_changed: () => say('rates changed'),
  record_written: () => say('record written by staff'),
  recovery_code_used: () => say('recovery code used'),
  recovery_codes_renewed: () => say('recovery codes renewed'),
  reset_link_created: () => say('reset link created'),
  roles_changed: () => say('roles changed'),
  school_identity_matched: () => say('first sign-in with the account of the school'),
  second_factor_disabled: () => say('second factor switched off'),
  second_factor_enabled: () => say('second factor switched on'),
  second_factor_not_required: () => say('second factor no longer required'),
  second_factor_required: () => say('second factor required'),
  secret_rotated: () => say('new secret'),
  session_revoked: () => say('signed out elsewhere'),
  sign_in_throttled: () => say('sign-in refused after many attempts'),
  signed_in: () => say('signed in'),
  signed_out: () => say('signed out'),
  signing_keys_ended: () => say('keys of ID tokens ended'),
  tokens_revoked: () => say('tokens revoked'),
  webhook_changed: () => say('webhook changed'),
  webhook_created: () => say('webhook added'),
  webhook_deleted: () => say('webhook removed'),
}

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

const EXPORT_PATH = '/staff/audit/export'
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
