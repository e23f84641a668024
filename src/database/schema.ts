import type { ColumnType, Generated } from 'kysely'
import type { AttachmentTables } from './schema-attachments.ts'
import type { CampusLife } from './schema-campus-life.ts'
import type { Deliveries, Endpoints } from './schema-deliveries.ts'
import type { Messages, Topics } from './schema-forum.ts'
import type { Authorizations } from './schema-oauth.ts'
import type { ProjectTables } from './schema-projects.ts'
import type { SecurityTables } from './schema-security.ts'
import type { SignIn } from './schema-sign-in.ts'

/** The tables that the actions of the domain write statements about; the engine knows the others from their declarations. */
export type Schema = AttachmentTables &
  Authorizations &
  CampusLife &
  ProjectTables &
  SecurityTables &
  SignIn & {
    access_tokens: AccessTokens
    application_roles: { application_id: number; role_id: number }
    applications: Applications
    campus_users: CampusUsers
    cursus_users: CursusUsers
    deliveries: Deliveries
    endpoints: Endpoints
    idempotency_keys: IdempotencyKeys
    messages: Messages
    roles: { id: Generated<number>; name: string; description: string | null; updated_at: DefaultTime }
    topics: Topics
    users: Users
  }

export type Time = ColumnType<Date, Date | string, Date | string>
export type OptionalTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type DefaultTime = ColumnType<Date, Date | string | undefined, Date | string>

type AccessTokens = {
  id: Generated<number>
  digest: Buffer
  application_id: number
  resource_owner_id: number | null
  family_id: ColumnType<number | null, number | null | undefined, number | null>
  scopes: string[]
  created_at: Time
  expires_at: Time
  revoked_at: OptionalTime
}

type Applications = {
  id: Generated<number>
  name: string
  uid: string
  secret_digest: Buffer | null
  previous_secret_digest: Buffer | null
  previous_secret_valid_until: OptionalTime
  owner_id: number | null
  description: string | null
  website: string | null
  image: string | null
  public: Generated<boolean>
  confidential: Generated<boolean>
  authorization_response_iss: Generated<boolean>
  /** Since when its owner's account is closed; the database sees to it. */
  suspended_at: ColumnType<Date | null, never, never>
  scopes: Generated<string[]>
  redirect_uris: Generated<string[]>
  rate_per_second: number | null
  rate_per_hour: number | null
  created_at: DefaultTime
  updated_at: DefaultTime
}

type CampusUsers = {
  id: Generated<number>
  user_id: number
  campus_id: number
  is_primary: Generated<boolean>
  created_at: DefaultTime
  updated_at: DefaultTime
}

type CursusUsers = {
  id: Generated<number>
  user_id: number
  cursus_id: number
  begin_at: DefaultTime
  end_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type IdempotencyKeys = {
  digest: Buffer
  fingerprint: Buffer
  status: number
  headers: ColumnType<Record<string, string>, string, string>
  body: string
  created_at: DefaultTime
}

type Users = {
  id: Generated<number>
  login: string
  email: string
  first_name: string
  last_name: string
  usual_first_name: string | null
  phone: string | null
  kind: Generated<string>
  status: string | null
  image: string | null
  pool_year: string | null
  pool_month: string | null
  email_stop: Generated<boolean>
  correction_point: Generated<number>
  wallet: Generated<number>
  anonymize_date: string | null
  data_erasure_date: string | null
  alumnized_at: OptionalTime
  password_digest: string | null
  closed_at: OptionalTime
  revision: Generated<number>
  created_at: DefaultTime
  updated_at: DefaultTime
}
