import type { Generated } from 'kysely'
import type { DefaultTime, OptionalTime, Time } from './column-types.ts'

/** What people let applications do, and the codes and tokens that follow from it. */
export type Authorizations = {
  authorization_codes: SingleUse & { redirect_uri: string | null; code_challenge: string | null }
  consents: Consents
  refresh_tokens: SingleUse
  token_families: TokenFamilies
}

type SingleUse = {
  id: Generated<number>
  digest: Buffer
  family_id: number
  created_at: Time
  expires_at: Time
  used_at: OptionalTime
}

type Consents = {
  id: Generated<number>
  user_id: number
  application_id: number
  scopes: string[]
  /** What was allowed last. */
  last_scopes: string[]
  last_used_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type TokenFamilies = {
  id: Generated<number>
  user_id: number
  application_id: number
  scopes: string[]
  created_at: Time
  revoked_at: OptionalTime
}
