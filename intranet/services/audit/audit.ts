import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'

/** Kinds of audit events. Their names are stored, so never rename one. */
export const AUDIT_KINDS = [
  'account_anonymized',
  'account_changed',
  'account_closed',
  'account_created',
  'account_unclosed',
  'administrator_added',
  'administrator_removed',
  'alumnized',
  'announcement_sent',
  'application_changed',
  'application_created',
  'application_deleted',
  'close_added',
  'close_lifted',
  'consent_denied',
  'consent_given',
  'consent_revoked',
  'dealumnized',
  'deliveries_replayed',
  'endpoint_changed',
  'endpoint_created',
  'endpoint_switched_off',
  'endpoint_switched_on',
  'passkey_added',
  'passkey_removed',
  'passkey_renamed',
  'passkey_suspected',
  'password_changed',
  'password_reset',
  'rates_changed',
  'record_written',
  'recovery_code_used',
  'recovery_codes_renewed',
  'reset_link_created',
  'roles_changed',
  'school_identity_matched',
  'second_factor_disabled',
  'second_factor_enabled',
  'second_factor_not_required',
  'second_factor_required',
  'secret_rotated',
  'session_revoked',
  'sign_in_throttled',
  'signed_in',
  'signed_out',
  'signing_keys_ended',
  'tokens_revoked',
  'webhook_changed',
  'webhook_created',
  'webhook_deleted',
] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export type Actor = {
  /** Null for commands, for applications that act for themselves, and for the service itself. */
  readonly userId: number | null
  /** IP address of the request. */
  readonly address?: string | null | undefined
  /** Application whose token was used. */
  readonly applicationId?: number | null | undefined
  /** Command such as "user set-password". */
  readonly command?: string | undefined
}

/** Reports whether the actor used the command line. */
export const isOperator = ({ command }: Actor): boolean => command !== undefined

export type AuditEntry = {
  readonly kind: AuditKind
  readonly actor: Actor
  /** The affected person, or the owner of the affected object. */
  readonly subjectId: number | null
  /** The affected application. Default: that of the actor. */
  readonly applicationId?: number | null | undefined
  /** Values that stay readable after what they name is deleted. Never a secret. */
  readonly details?: Readonly<Record<string, string>> | undefined
}

/** Records an event, in the transaction of the action. */
export const recordAudit = (tx: Handle, now: Date, entry: AuditEntry): Promise<void> => recordAudits(tx, now, [entry])

/** Records many events. */
export async function recordAudits(tx: Handle, now: Date, entries: readonly AuditEntry[]): Promise<void> {
  await insertRows(
    tx,
    'audit_events',
    entries.map((entry) => rowOf(entry, now)),
  )
}

function rowOf(entry: AuditEntry, now: Date) {
  const { kind, actor, subjectId, applicationId = actor.applicationId, details = {} } = entry
  return {
    kind,
    actor_id: actor.userId,
    subject_id: subjectId,
    application_id: applicationId ?? null,
    address: actor.address ?? null,
    command: actor.command ?? null,
    details,
    created_at: now,
  }
}

/** An audit record with the names of what it is about. */
export type AuditRecord = Awaited<ReturnType<typeof auditRecordsConcerning>>[number]

/** Returns events by or about a person, the latest first. */
export const auditRecordsConcerning = (handle: Handle, userId: number, limit: number) =>
  readAuditRecords(handle)
    .where((where) => where.or([where('actor_id', '=', userId), where('subject_id', '=', userId)]))
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .execute()

/** Returns events by others about a person, their account or their applications, the latest first. */
export const auditRecordsByOthers = (handle: Handle, userId: number, limit: number) =>
  readAuditRecords(handle)
    .where('subject_id', '=', userId)
    .where(({ or, and, eb }) =>
      or([
        and([eb('actor_id', 'is not', null), eb('actor_id', '!=', userId)]),
        and([
          eb('actor_id', 'is', null),
          or([eb('command', 'is not', null), eb('audit_events.application_id', 'is not', null)]),
        ]),
      ]),
    )
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .execute()

/** Returns the events of an application, the latest first. */
export const auditRecordsAbout = (handle: Handle, applicationId: number, limit: number) =>
  readAuditRecords(handle)
    .where('audit_events.application_id', '=', applicationId)
    .where('audit_events.kind', 'in', ABOUT_APPLICATIONS)
    .orderBy('audit_events.id', 'desc')
    .limit(limit)
    .execute()

/** Events of the application itself, without consents of people. */
const ABOUT_APPLICATIONS: readonly AuditKind[] = [
  'application_created',
  'application_changed',
  'rates_changed',
  'roles_changed',
  'secret_rotated',
  'tokens_revoked',
  'webhook_changed',
  'webhook_created',
  'webhook_deleted',
]

/** Selects audit records with the names of what they are about. */
export const readAuditRecords = ({ kysely }: Pick<Handle, 'kysely'>) =>
  kysely
    .selectFrom('audit_events')
    .leftJoin('users as actor', 'actor.id', 'audit_events.actor_id')
    .leftJoin('users as subject', 'subject.id', 'audit_events.subject_id')
    .leftJoin('applications', 'applications.id', 'audit_events.application_id')
    .select(['audit_events.id', 'audit_events.kind', 'address', 'command', 'details', 'audit_events.created_at'])
    .select(['actor_id', 'actor.login as actor', 'subject_id', 'subject.login as subject'])
    .select(['application_id', 'applications.name as application'])
