import type { Handle } from '../../src/database/database.ts'
import { setPassword as setPasswordOf } from '../../src/domain/access/set-password.ts'
import { accountOf } from '../../src/domain/accounts/accounts.ts'
import type { Sealing } from '../../src/webhooks/sealing.ts'

/** Sets the password of a login as an operator does. */
export async function setPassword(tx: Handle, login: string, password: string, now: Date, sealing: Sealing) {
  const account = await accountOf(tx, login)
  await setPasswordOf(tx, sealing, { userId: account.id, password, actor: { userId: null }, now })
  return account
}
