import type { Handle } from '@campus/engine/database/database'
import type { Caller, CallingApplication } from '@campus/engine/http/caller'
import { sql } from 'kysely'
import { ratesOf } from './rates.ts'
import { isUnregistered } from './unregistered-clients.ts'

export const CALLING_APPLICATION = [
  'applications.id as application_id',
  'applications.uid',
  'applications.name',
  'applications.rate_per_second',
  'applications.rate_per_hour',
  'applications.owner_id as application_owner_id',
  sql<string[]>`array(
    select roles.name from application_roles join roles on roles.id = application_roles.role_id
    where application_roles.application_id = applications.id order by roles.id
  )`.as('roles'),
] as const

type Row = {
  readonly application_id: number
  readonly uid: string
  readonly name: string
  readonly rate_per_second: number | null
  readonly rate_per_hour: number | null
  readonly application_owner_id: number | null
  readonly roles: readonly string[]
}

export const callingApplication = (row: Row): CallingApplication => ({
  id: row.application_id,
  uid: row.uid,
  name: row.name,
  roles: row.roles,
  ownerId: row.application_owner_id,
  isRatedByUser: isUnregistered(row.uid),
  ...ratesOf(row, row.roles),
})

/** Returns applications, by id, as callers with all of their scopes. Suspended ones are absent. */
export async function callersOfApplications(
  handle: Handle,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Caller>> {
  const rows = await handle.kysely
    .selectFrom('applications')
    .select(CALLING_APPLICATION)
    .select('applications.scopes')
    .where('applications.suspended_at', 'is', null)
    .where('applications.id', 'in', [...ids])
    .execute()
  return new Map(
    rows.map((row) => [
      row.application_id,
      { application: callingApplication(row), scopes: row.scopes, resourceOwnerId: null },
    ]),
  )
}
