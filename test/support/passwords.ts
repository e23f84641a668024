import type { Handle } from '@campus/engine/database/database'
import { setPassword as setPasswordOf } from '@campus/intranet/access/set-password'
import { accountOf } from '@campus/intranet/school/domain/accounts/accounts'
import type { Sealing } from '@campus/intranet/webhooks/sealing'

/** Sets the password of a login as an operator does. */
export async function setPassword(tx: Handle, login: string, password: string, now: Date, sealing: Sealing) {
  const account = await accountOf(tx, login)
  await setPasswordOf(tx, sealing, { userId: account.id, password, actor: { userId: null }, now })
  return account
}
