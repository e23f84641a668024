import type { Handle } from '../database/database.ts'

/** What people hold. Each is the sum of the entries of a ledger, and changes with an entry in the same transaction only. */
type Balance = 'correction_point' | 'wallet'

/**
 * Changes what somebody holds, and gives what they hold then; their row is locked until the transaction ends. Undefined,
 * and nothing is changed, where a loss is more than they hold, unless they may owe it.
 */
export async function changeBalance(
  tx: Handle,
  balance: Balance,
  { userId, by, mayOwe }: { readonly userId: number; readonly by: number; readonly mayOwe: boolean },
): Promise<number | undefined> {
  // Neither `updated_at` nor `revision` follows: they would tell, to the millisecond, who has just booked an evaluation.
  const row = await tx.kysely
    .updateTable('users')
    .set((eb) => ({ [balance]: eb(balance, '+', by) }))
    .where('id', '=', userId)
    .$if(by < 0 && !mayOwe, (query) => query.where(balance, '>=', -by))
    .returning(`${balance} as held`)
    .executeTakeFirst()
  return row?.held
}
