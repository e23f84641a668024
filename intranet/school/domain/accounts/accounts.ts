import { defined } from '@campus/engine/base/defined'
import type { Handle } from '@campus/engine/database/database'
import { insertRows } from '@campus/engine/database/insert-rows'
import { sameName } from '@campus/engine/database/same-name'
import { HttpError, notFound } from '@campus/engine/errors'
import { recordAudits } from '../../../services/audit/audit.ts'
import { attachSecrets } from '../../../webhooks/attach-secrets.ts'
import type { Sealing } from '../../../webhooks/sealing.ts'
import { enterFirstPoints, REASONS } from '../points/correction-points.ts'
import { enterFirstWallets } from '../points/wallets.ts'
import { type Account, type NewAccount, pointsOf, walletOf } from './account-values.ts'
import { checkAccounts } from './check-accounts.ts'
import { insertUsers } from './insert-users.ts'

/** Must run in a transaction. Throws a 422 that names every error. */
export async function createAccount(tx: Handle, sealing: Sealing, account: NewAccount): Promise<Account> {
  const [made] = await createAccounts(tx, sealing, [account])
  if (made instanceof HttpError) throw made
  return defined(made)
}

/** Opens as many of the accounts as possible. Returns an account or a 422 with every error for each input. */
export async function createAccounts(
  tx: Handle,
  sealing: Sealing,
  accounts: readonly NewAccount[],
): Promise<readonly (Account | HttpError)[]> {
  const made = await insertUsers(tx, await checkAccounts(tx, accounts))
  const opened = made.flatMap((account, at) =>
    account instanceof HttpError ? [] : { ...defined(accounts[at]), ...account },
  )
  await enterBalances(tx, opened)
  for (const { id, values, now } of opened) {
    const { password = null, meta = null } = values
    await attachSecrets(tx, sealing, { userId: id, password, meta, now })
  }
  await joinCampusAndCursus(tx, opened)
  for (const [now, those] of Map.groupBy(opened, (account) => account.now)) {
    const events = those.map(({ id, actor }) => ({ kind: 'account_created', actor, subjectId: id }) as const)
    await recordAudits(tx, now, events)
  }
  return made
}

/** Throws 404 if no account has the login. */
export async function accountOf(handle: Handle, login: string): Promise<Account> {
  const account = await handle.kysely
    .selectFrom('users')
    .select(['id', 'login'])
    .where(sameName('login', login))
    .executeTakeFirst()
  if (!account) throw notFound('No user has this login.')
  return account
}

type Opened = NewAccount & Account

async function enterBalances(tx: Handle, opened: readonly Opened[]): Promise<void> {
  for (const [now, accounts] of Map.groupBy(opened, (account) => account.now)) {
    const entries = accounts.map(({ id, values }) => ({
      userId: id,
      points: pointsOf(values),
      wallet: walletOf(values),
    }))
    await enterFirstPoints(tx, entries, now)
    await enterFirstWallets(tx, entries, { reason: REASONS.creation, now })
  }
}

async function joinCampusAndCursus(tx: Handle, opened: readonly Opened[]): Promise<void> {
  const memberships = opened.map(({ id, values: { campusId, cursusId }, now }) => {
    return { campusId, cursusId, membership: { user_id: id, created_at: now, updated_at: now } }
  })
  const campusUsers = memberships.flatMap(({ campusId, membership }) =>
    campusId ? { ...membership, campus_id: campusId, is_primary: true } : [],
  )
  await insertRows(tx, 'campus_users', campusUsers)
  const cursusUsers = memberships.flatMap(({ cursusId, membership }) =>
    cursusId ? { ...membership, cursus_id: cursusId, begin_at: membership.created_at } : [],
  )
  await insertRows(tx, 'cursus_users', cursusUsers)
}
