import type { Generated } from 'kysely'
import type { DefaultTime, OptionalTime } from './column-types.ts'

export type Deliveries = {
  id: Generated<number>
  webhook_id: Generated<string>
  endpoint_id: number
  user_id: number
  login: string
  event: string
  record: unknown
  sealed: string | null
  sealed_by: string | null
  secrets: Generated<string>
  state: Generated<string>
  due_at: OptionalTime
  leased_until: OptionalTime
  lease: string | null
  tries: Generated<number>
  attempts: Generated<readonly Attempt[]>
  last_try_at: OptionalTime
  status: number | null
  error: string | null
  answer: string | null
  milliseconds: number | null
  decided_at: OptionalTime
  created_at: DefaultTime
  updated_at: DefaultTime
}

type Attempt = {
  readonly at: string
  readonly status: number | null
  readonly error: string | null
  readonly milliseconds: number
}

export type Endpoints = {
  id: Generated<number>
  url: string
  description: string | null
  active: Generated<boolean>
  switched_off_at: OptionalTime
  switched_off_because: string | null
  created_at: DefaultTime
  updated_at: DefaultTime
}
