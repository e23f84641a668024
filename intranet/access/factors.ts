import type { Handle } from '@campus/engine/database/database'
import { lockRow } from '@campus/engine/database/lock-row'
import { sql } from 'kysely'

/** Second factors of a user. */
export type Factors = {
  /** When the authenticator app was enabled, or null. */
  readonly appSince: Date | null
  readonly passkeys: number
}

/** Returns the enabled second factors of a user. */
export async function factorsOf(handle: Handle, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select (select confirmed_at from second_factors where user_id = ${userId}) as "appSince",
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys`.execute(handle.kysely)
  return rows[0] ?? { appSince: null, passkeys: 0 }
}

/** Locks the user and returns their factors, so that concurrent removals know which factor is the last. */
export async function lockFactors(tx: Handle, userId: number): Promise<Factors> {
  await lockRow(tx, 'users', userId)
  return factorsOf(tx, userId)
}

/** Reports whether the user has a second factor. */
export const isProtected = ({ appSince, passkeys }: Factors): boolean => appSince !== null || passkeys > 0

/** SQL condition on a row of `users`: no second factor is enabled. */
export const HAS_NO_FACTOR = sql<boolean>`(not exists (
    select from second_factors f where f.user_id = users.id and f.confirmed_at is not null)
  and not exists (select from passkeys p where p.user_id = users.id))`
