import { sql } from 'kysely'
import type { Handle } from '../../database/database.ts'

/** What a user has beside a password. */
export type Factors = {
  /** Since when codes of an app are asked for; null where they are not. */
  readonly appSince: Date | null
  readonly passkeys: number
}

/** The second factors of a user that are in force. */
export async function factorsOf(handle: Handle, userId: number): Promise<Factors> {
  const { rows } = await sql<Factors>`
    select (select confirmed_at from second_factors where user_id = ${userId}) as "appSince",
      (select count(*)::int from passkeys where user_id = ${userId}) as passkeys`.execute(handle.kysely)
  return rows[0] ?? { appSince: null, passkeys: 0 }
}

/** The same, held until the transaction ends, so that of two that are removed at once one is the last. */
export async function lockFactors(tx: Handle, userId: number): Promise<Factors> {
  await tx.kysely.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return factorsOf(tx, userId)
}

/** Whether any is in force. */
export const isProtected = ({ appSince, passkeys }: Factors): boolean => appSince !== null || passkeys > 0

/** That a row of `users` has no second factor in force, in SQL. */
export const HAS_NO_FACTOR = sql<boolean>`(not exists (
    select from second_factors f where f.user_id = users.id and f.confirmed_at is not null)
  and not exists (select from passkeys p where p.user_id = users.id))`
