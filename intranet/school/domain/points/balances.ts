import type { Handle } from '@campus/engine/database/database'

/** A balance is the sum of its ledger, so it changes only with an entry in the same transaction. */
type Balance = 'correction_point' | 'wallet'

/**
 * Changes a balance, locks its row and returns the new value. If a loss exceeds the balance, changes nothing and
 * returns undefined, unless `mayOwe` is set.
 */
export async function changeBalance(
  tx: Handle,
  balance: Balance,
  { userId, by, mayOwe }: { readonly userId: number; readonly by: number; readonly mayOwe: boolean },
): Promise<number | undefined> {
  // Leaves `updated_at` and `revision` unchanged, since they would reveal who booked an evaluation.
  const row = await tx.kysely
    .updateTable('users')
    .set((eb) => ({ [balance]: eb(balance, '+', by) }))
    .where('id', '=', userId)
    .$if(by < 0 && !mayOwe, (query) => query.where(balance, '>=', -by))
    .returning(`${balance} as held`)
    .executeTakeFirst()
  return row?.held
}

/** Returns the amount to add to a balance to reach `to`. It is negative if the balance is larger. */
export async function missingTo(tx: Handle, balance: Balance, userId: number, to: number): Promise<number> {
  const { held } = await tx.kysely
    .selectFrom('users')
    .select(`${balance} as held`)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return to - held
}

/**
 * Locks users by ascending id before their balances change. Must run before inserts that refer to the users: foreign
 * keys take a weaker lock, and two transactions that upgrade it deadlock.
 */
export async function lockHolders(tx: Handle, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.kysely.selectFrom('users').select('id').where('id', 'in', userIds).orderBy('id').forNoKeyUpdate().execute()
}
