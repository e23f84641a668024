import type { Handle } from '@campus/engine/database/database'

/** What people hold. Each is the sum of the entries of a ledger, and changes with an entry in the same transaction only. */
type Balance = 'correction_point' | 'wallet'

/**
 * Changes a user's balance, and gives the new one; the row is locked until the transaction ends. Undefined, without a
 * change, where a loss exceeds the balance, unless they may owe it.
 */
export async function changeBalance(
  tx: Handle,
  balance: Balance,
  { userId, by, mayOwe }: { readonly userId: number; readonly by: number; readonly mayOwe: boolean },
): Promise<number | undefined> {
  // Neither `updated_at` nor `revision` changes: they would reveal who has just booked an evaluation.
  const row = await tx.kysely
    .updateTable('users')
    .set((eb) => ({ [balance]: eb(balance, '+', by) }))
    .where('id', '=', userId)
    .$if(by < 0 && !mayOwe, (query) => query.where(balance, '>=', -by))
    .returning(`${balance} as held`)
    .executeTakeFirst()
  return row?.held
}

/** How much is missing to so much; below 0 for what is too much. */
export async function missingTo(tx: Handle, balance: Balance, userId: number, to: number): Promise<number> {
  const { held } = await tx.kysely
    .selectFrom('users')
    .select(`${balance} as held`)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return to - held
}

/**
 * Locks users whose balances are about to change, in the order of their ids, against deadlocks. Comes before anything
 * that refers to them, which takes a weaker lock: two transactions that upgrade one wait for each other.
 */
export async function lockHolders(tx: Handle, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return
  await tx.kysely.selectFrom('users').select('id').where('id', 'in', userIds).orderBy('id').forNoKeyUpdate().execute()
}
