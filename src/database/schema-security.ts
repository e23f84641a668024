import type { ColumnType, Generated } from 'kysely'
import type { OptionalTime, Time } from './column-types.ts'

/** What is kept of applications' calls, of people's second factors and of what was done to accounts. */
export type SecurityTables = {
  application_calls: ApplicationCalls
  audit_events: AuditEvents
  recovery_codes: { user_id: number; digest: Buffer }
  school_identities: SchoolIdentities
  second_factors: SecondFactors
}

type ApplicationCalls = { application_id: number; hour: Time; made: number; refused: number }

type AuditEvents = {
  id: Generated<string>
  kind: string
  actor_id: number | null
  subject_id: number | null
  application_id: number | null
  address: string | null
  command: string | null
  details: ColumnType<Readonly<Record<string, string>>, string, never>
  created_at: Time
}

type SchoolIdentities = { issuer: string; subject: string; user_id: number; created_at: Time }

type SecondFactors = {
  user_id: number
  sealed_secret: string
  last_step: ColumnType<string, number | undefined, number>
  created_at: Time
  confirmed_at: OptionalTime
}
