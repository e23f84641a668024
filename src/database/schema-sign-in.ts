import type { Generated } from 'kysely'
import type { Time } from './column-types.ts'

/** The tables behind signing in. */
export type SignIn = {
  known_browsers: { user_id: number; digest: Buffer; last_used_at: Time }
  attempts: { digest: Buffer; count: number; ends_at: Time }
  password_resets: PasswordResets
  sessions: Sessions
}

type PasswordResets = {
  id: Generated<number>
  digest: Buffer
  user_id: number
  created_by: number | null
  created_at: Time
  expires_at: Time
}

type Sessions = {
  id: Generated<number>
  digest: Buffer
  user_id: number
  address: string | null
  user_agent: string | null
  awaiting: string | null
  passed: Generated<string[]>
  return_to: string | null
  created_at: Time
  last_seen_at: Time
  expires_at: Time
}
