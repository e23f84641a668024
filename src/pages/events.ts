import type { AuditKind, RecordedEvent } from '../audit/audit.ts'
import { type Html, html } from './html.ts'
import { timeOf } from './times.ts'
import type { Visit } from './visit.ts'

type Details = Readonly<Record<string, string>>

/** What each kind of event says, without who and when. */
const SENTENCES: Readonly<Record<AuditKind, (details: Details, application: string) => string>> = {
  account_closed: ({ reason }) => `Account closed${reason ? `: ${reason}` : ''}`,
  account_created: () => 'Account opened',
  account_unclosed: () => 'Account opened again',
  alumnized: () => 'Made an alumnus',
  application_changed: ({ fields }, application) => `${application} changed: ${fields}`,
  application_created: (_, application) => `${application} registered`,
  application_deleted: ({ name }) => `The application ${name} deleted`,
  consent_denied: (_, application) => `${application} refused`,
  consent_given: ({ scopes }, application) => `${application} allowed${scopes ? `: ${scopes}` : ''}`,
  consent_revoked: (_, application) => `${application} may no longer act for you`,
  dealumnized: () => 'No alumnus any more',
  deliveries_replayed: ({ url, calls }) => `${calls} to ${url} replayed`,
  endpoint_switched_off: ({ url }) => `The webservice ${url} switched off`,
  endpoint_switched_on: ({ url }) => `The webservice ${url} switched on`,
  password_changed: () => 'Password changed',
  password_reset: () => 'Password chosen anew through a link',
  rates_changed: (details, application) => `Rates of ${application} ${ratesIn(details)}`,
  recovery_code_used: ({ left }) => `A recovery code used; ${left} left`,
  recovery_codes_renewed: () => 'New recovery codes made',
  reset_link_created: () => 'Link to choose another password created',
  roles_changed: (details, application) => `Roles of ${application}: ${rolesIn(details)}`,
  school_identity_matched: () => 'Account of the school matched with this one',
  second_factor_disabled: () => 'Second factor switched off',
  second_factor_enabled: () => 'Second factor switched on',
  secret_rotated: ({ grace_days }, application) =>
    `New secret for ${application}; the former one ${grace_days === '0' ? 'ended' : `works for ${grace_days} days`}`,
  session_revoked: () => 'Signed out in another browser',
  sign_in_throttled: () => 'Sign-in refused after too many attempts',
  signed_in: ({ by }) => `Signed in${by ? ` with ${by}` : ''}`,
  signed_out: () => 'Signed out',
}

/**
 * Recorded events as a list, the latest first: what concerns `personId`, the visitor unless said. Whoever did the rest
 * is named, and where they were is not told.
 */
export const eventList = (visit: Visit, events: readonly RecordedEvent[], personId = visit.person?.id): Html =>
  events.length === 0
    ? html`<p class="quiet">Nothing yet.</p>`
    : html`<ol class="plain events">${events.map((event) => eventItem(visit, event, personId))}</ol>`

function eventItem(visit: Visit, event: RecordedEvent, personId: number | undefined): Html {
  const { kind, details, application, created_at, actor_id } = event
  const address = actor_id === null || actor_id === personId ? event.address : null
  const say = SENTENCES[kind as AuditKind] ?? (() => kind)
  const about = application === null ? 'An application' : `“${application}”`
  return html`<li>${say(details, about)}
    <span class="quiet">${timeOf(visit, created_at)}${involved(event, personId)}${address ? ` · from ${address}` : ''}</span></li>`
}

/** Who else had to do with it. */
function involved(event: RecordedEvent, personId: number | undefined): string {
  const { actor, actor_id, command, subject, subject_id } = event
  const other = actor === null || actor_id === personId ? '' : ` · by ${actor}`
  const by = command === null ? other : ' · on the command line'
  const isOther = subject !== null && subject_id !== actor_id && subject_id !== personId
  return by + (isOther ? ` · for ${subject}` : '')
}

function ratesIn({ rate_per_second, rate_per_hour }: Details): string {
  const parts = [
    ...(rate_per_second ? [`${rate_per_second} a second`] : []),
    ...(rate_per_hour ? [`${rate_per_hour} an hour`] : []),
  ]
  return parts.length > 0 ? `set to ${parts.join(', ')}` : 'follow its roles again'
}

function rolesIn({ granted, taken }: Details): string {
  return [...(granted ? [`given ${granted}`] : []), ...(taken ? [`taken ${taken}`] : [])].join('; ')
}
