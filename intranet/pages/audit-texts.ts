import { isOneOf, namesOf } from '@campus/engine/base/narrow'
import type { AuditKind, AuditRecord } from '../services/audit/audit.ts'
import { type Html, html, say } from './html.ts'
import type { PageContext } from './page-context.ts'
import { timeOf } from './times.ts'

type Details = Readonly<Record<string, string>>

/** Texts without the actor and the time. */
const AUDIT_TEXTS: Readonly<Record<AuditKind, (details: Details, application: string) => string>> = {
  account_anonymized: () => say('Account anonymized'),
  account_changed: ({ fields = '' }) => say('Account changed: {fields}', { fields }),
  account_closed: ({ reason }) => (reason ? say('Account closed: {reason}', { reason }) : say('Account closed')),
  account_created: () => say('Account opened'),
  account_unclosed: () => say('Account opened again'),
  administrator_added: () => say('Made an administrator of the school'),
  administrator_removed: () => say('No administrator of the school any more'),
  alumnized: () => say('Made an alumnus'),
  announcement_sent: ({ campus = '', people = '', text = '' }) =>
    say('{people} people of {campus} notified: {text}', { campus, people, text }),
  application_changed: ({ fields = '' }, application) =>
    say('{application} changed: {fields}', { application, fields }),
  application_created: (_, application) => say('{application} registered', { application }),
  application_deleted: ({ name = '' }) => say('The application {name} deleted', { name }),
  close_added: ({ reason }) => (reason ? say('Closed once more: {reason}', { reason }) : say('Closed once more')),
  close_lifted: () => say('A close lifted; the account stays closed'),
  consent_denied: (_, application) => say('{application} refused', { application }),
  consent_given: ({ scopes }, application) =>
    scopes
      ? say('{application} allowed: {scopes}', { application, scopes })
      : say('{application} allowed', { application }),
  consent_revoked: (_, application) => say('{application} may no longer act for you', { application }),
  dealumnized: () => say('No alumnus any more'),
  deliveries_replayed: ({ url = '', calls = '' }) =>
    say('{calls, plural, one {# delivery} other {# deliveries}} to {url} replayed', {
      calls: Number.parseInt(calls, 10),
      url,
    }),
  endpoint_changed: ({ url = '', fields = '' }) => say('The webservice {url} changed: {fields}', { url, fields }),
  endpoint_created: ({ url = '' }) => say('The webservice {url} registered', { url }),
  endpoint_switched_off: ({ url = '' }) => say('The webservice {url} switched off', { url }),
  endpoint_switched_on: ({ url = '' }) => say('The webservice {url} switched on', { url }),
  passkey_added: ({ name = '' }) => say('The passkey {name} added', { name }),
  passkey_removed: ({ name = '' }) => say('The passkey {name} removed', { name }),
  passkey_renamed: ({ name = '', former = '' }) => say('The passkey {former} renamed to {name}', { former, name }),
  passkey_suspected: ({ name = '' }) =>
    say('The passkey {name} refused: another copy of it seems to be in use', { name }),
  password_changed: () => say('Password changed'),
  password_reset: () => say('Password chosen anew through a link'),
  rates_changed: ratesChanged,
  record_written: recordWritten,
  recovery_code_used: ({ left = '' }) => say('A recovery code used; {left} left', { left }),
  recovery_codes_renewed: () => say('New recovery codes made'),
  reset_link_created: () => say('Link to choose another password created'),
  roles_changed: rolesChanged,
  school_identity_matched: () => say('Account of the school matched with this one'),
  second_factor_disabled: () => say('Second factor switched off'),
  second_factor_enabled: () => say('Second factor switched on'),
  second_factor_not_required: ({ campus, role }) =>
    say('A second factor no longer required of {name}', { name: campus ?? role ?? '' }),
  second_factor_required: ({ campus, role }) =>
    say('A second factor required of {name}', { name: campus ?? role ?? '' }),
  secret_rotated: ({ grace_days }, application) =>
    grace_days === '0'
      ? say('New secret for {application}; the former one ended', { application })
      : say('New secret for {application}; the former one works for {days, plural, one {# day} other {# days}}', {
          application,
          days: Number(grace_days),
        }),
  session_revoked: () => say('Signed out in another browser'),
  sign_in_throttled: () => say('Sign-in refused after too many attempts'),
  signed_in: ({ by }) => (by ? say('Signed in with {by}', { by: proofText(by) }) : say('Signed in')),
  signed_out: () => say('Signed out'),
  signing_keys_ended: () => say('All keys of ID tokens ended'),
  tokens_revoked: ({ which }, application) =>
    which === 'all'
      ? say('Every token of {application} revoked', { application })
      : say('A session of {application} ended', { application }),
  webhook_changed: (details, application) =>
    say('Webhook of {application} changed: {model} {event} to {url}', ofWebhook(details, application)),
  webhook_created: (details, application) =>
    say('Webhook of {application} added: {model} {event} to {url}', ofWebhook(details, application)),
  webhook_deleted: (details, application) =>
    say('Webhook of {application} removed: {model} {event} to {url}', ofWebhook(details, application)),
}

function ofWebhook({ model = '', event = '', url = '' }: Details, application: string) {
  return { application, model, event, url }
}

/** Methods by their names in the audit log. */
const PROOFS: Readonly<Record<string, () => string>> = {
  passkey: () => say('passkey'),
  password: () => say('password'),
  'school account': () => say('school account'),
  'second factor': () => say('second factor'),
}

/** Translates the methods of a proof. Several are joined, as in `password and second factor`. */
const proofText = (by: string): string =>
  by
    .split(' and ')
    .map((proof) => PROOFS[proof]?.() ?? proof)
    .reduce((one, other) => say('{one} and {other}', { one, other }))

type Shown = {
  /** The user whose events are shown. Defaults to the visitor. */
  readonly personId?: number | undefined
  /** Whether to show addresses of other actors, and the application. */
  readonly withAddresses?: boolean
}

/** Lists audit records, latest first. Names the actor if it is not the user. */
export const auditList = (context: PageContext, events: readonly AuditRecord[], shown: Shown = {}): Html =>
  events.length === 0
    ? html`<p class="quiet">${say('Nothing yet.')}</p>`
    : html`<ol class="plain events">${events.map((event) =>
        eventItem(context, event, { personId: context.person?.id, ...shown }),
      )}</ol>`

export function auditText({ kind, details, application }: AuditRecord): string {
  const text = isOneOf(namesOf(AUDIT_TEXTS), kind) ? AUDIT_TEXTS[kind] : () => kind
  return text(details, application === null ? say('An application') : say('“{name}”', { name: application }))
}

function eventItem(context: PageContext, event: AuditRecord, { personId, withAddresses = false }: Shown): Html {
  const { created_at, actor_id, application } = event
  const address = withAddresses || actor_id === null || actor_id === personId ? event.address : null
  const circumstances = [
    ...involved(event, personId),
    ...(withAddresses && application ? [say('with the application {application}', { application })] : []),
    ...(address ? [say('from {address}', { address })] : []),
  ]
  return html`<li>${auditText(event)}
    <span class="quiet">${timeOf(context, created_at)}${circumstances.map((text) => ` · ${text}`)}</span></li>`
}

/** Names other people who took part. */
function involved(event: AuditRecord, personId: number | undefined): readonly string[] {
  const { actor, actor_id, command, subject, subject_id } = event
  const other = actor === null || actor_id === personId ? [] : [say('by {name}', { name: actor })]
  const by = command === null ? other : [say('on the command line')]
  const isOther = subject !== null && subject_id !== actor_id && subject_id !== personId
  return isOther ? [...by, say('for {name}', { name: subject })] : by
}

function ratesChanged({ rate_per_second: second, rate_per_hour: hour }: Details, application: string): string {
  if (second && hour)
    return say('Rates of {application} set to {second} a second, {hour} an hour', { application, second, hour })
  if (second) return say('Rates of {application} set to {second} a second', { application, second })
  if (hour) return say('Rates of {application} set to {hour} an hour', { application, hour })
  return say('Rates of {application} follow its roles again', { application })
}

function recordWritten({ resource = '', id = '', action, fields = '' }: Details): string {
  const record = `${resource} ${id}`
  if (action === 'create') return say('{record} created', { record })
  if (action === 'destroy') return say('{record} deleted', { record })
  return say('{record} changed: {fields}', { record, fields: fields || String(action) })
}

function rolesChanged({ granted, taken }: Details, application: string): string {
  if (granted && taken)
    return say('Roles of {application}: given {granted}; taken {taken}', { application, granted, taken })
  if (granted) return say('Roles of {application}: given {granted}', { application, granted })
  return say('Roles of {application}: taken {taken}', { application, taken: taken ?? '' })
}
