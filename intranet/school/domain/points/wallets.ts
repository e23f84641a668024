import { type ActionInput, chosenId, type Values } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { insertRow } from '../rows.ts'
import { changeBalance, missingTo } from './balances.ts'

type TransactionValues = Values & {
  readonly value: number
  readonly user_id: number
  readonly transactable_type: string
  readonly transactable_id?: number | null
  readonly reason: string
}

/** Adds `value` to a wallet, also below zero (POST /v2/transactions). */
export async function enterTransaction(
  tx: Handle,
  { values, now }: Pick<ActionInput<TransactionValues>, 'values' | 'now'>,
): Promise<number> {
  const { value, user_id, transactable_type, transactable_id = null, reason } = values
  const row = {
    ...chosenId(values),
    value,
    user_id,
    transactable_type,
    transactable_id,
    reason,
    created_at: now,
    updated_at: now,
  }
  // The user is locked first: a foreign key takes a weaker lock, and two transactions that upgrade it deadlock.
  await changeBalance(tx, 'wallet', { userId: user_id, by: value, mayOwe: true })
  return insertRow(tx, 'transactions', row)
}

/** Deletes a transaction, which is locked, and reverses its value. */
export async function reverseTransaction(tx: Handle, { id }: ActionInput): Promise<number> {
  const transaction = tx.kysely.selectFrom('transactions').select(['value', 'user_id']).where('id', '=', id)
  const { value, user_id } = await transaction.executeTakeFirstOrThrow()
  await changeBalance(tx, 'wallet', { userId: user_id, by: -value, mayOwe: true })
  await tx.kysely.deleteFrom('transactions').where('id', '=', id).execute()
  return id
}

/** Records the initial wallets, which the rows of the users already include. */
export async function enterFirstWallets(
  tx: Handle,
  accounts: readonly { readonly userId: number; readonly wallet: number }[],
  { reason, now }: { readonly reason: string; readonly now: Date },
): Promise<void> {
  const rows = accounts
    .filter(({ wallet }) => wallet !== 0)
    .map(({ userId, wallet }) => ({ user_id: userId, value: wallet, transactable_type: 'User', reason }))
  await insertRows(
    tx,
    'transactions',
    rows.map((row) => ({ ...row, created_at: now, updated_at: now })),
  )
}

/** Sets the wallet of a user, whose row is locked. Returns whether it changed. */
export async function setWallet(
  tx: Handle,
  userId: number,
  { to, reason, now }: { readonly to: number; readonly reason: string; readonly now: Date },
): Promise<boolean> {
  const value = await missingTo(tx, 'wallet', userId, to)
  if (value !== 0)
    await enterTransaction(tx, { values: { value, user_id: userId, transactable_type: 'User', reason }, now })
  return value !== 0
}
