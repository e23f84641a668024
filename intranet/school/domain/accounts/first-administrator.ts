import { hash, randomBytes } from 'node:crypto'
import type { Database, Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'
import { makeAdministrator } from '../../../access/powers.ts'
import type { Sealing } from '../../../webhooks/sealing.ts'
import type { AccountValues } from './account-values.ts'
import { createAccount } from './accounts.ts'

const LIFETIME_HOURS = 24

/** The path of the page where the installer of a school opens the first administrator's account. */
export const WELCOME_PATH = '/welcome'

/**
 * Creates a link to open the first administrator's account, once, within a day. The former link expires. Returns the
 * path of the link, or undefined if the school has users.
 */
export async function createFirstLink(database: Database, now: Date): Promise<string | undefined> {
  const somebody = await database.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()
  if (somebody) return undefined
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + LIFETIME_HOURS * 3_600_000)
  await database.transaction(async (tx) => {
    await tx.kysely.deleteFrom('first_administrator_links').execute()
    await tx.kysely
      .insertInto('first_administrator_links')
      .values({ digest: digestOf(token), created_at: now, expires_at })
      .execute()
  })
  return `${WELCOME_PATH}?token=${token}`
}

export async function checkFirstLink(handle: Handle, now: Date, token: string): Promise<void> {
  const found = await handle.kysely
    .selectFrom('first_administrator_links')
    .select('id')
    .where('digest', '=', digestOf(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  const isTooLate = await hasAdministrator(handle)
  if (!found || isTooLate) throw unknownLink()
}

type First = {
  readonly token: string
  readonly values: Omit<AccountValues, 'kind'>
  /** IP address. */
  readonly address: string
}

/** Opens the account and invalidates the link. Needs a transaction. Throws 404, and 422 with every error. */
export async function openFirstAccount(
  tx: Handle,
  sealing: Sealing,
  now: Date,
  { token, values, address }: First,
): Promise<{ readonly login: string }> {
  await checkFirstLink(tx, now, token)
  // A concurrent use of the link waits here and then finds no row.
  const used = await tx.kysely
    .deleteFrom('first_administrator_links')
    .where('digest', '=', digestOf(token))
    .executeTakeFirst()
  if (used.numDeletedRows === 0n) throw unknownLink()
  const actor = { userId: null, address }
  const account = await createAccount(tx, sealing, { values: { ...values, kind: 'admin' }, actor, now })
  await makeAdministrator(tx, { userId: account.id, actor, now })
  return account
}

const unknownLink = () =>
  notFound(
    'This link was used already, was replaced by a newer one, or is too old. A new start of the service prints one.',
  )

/** Ignores closed accounts, since they cannot sign in. */
async function hasAdministrator({ kysely }: Handle): Promise<boolean> {
  const found = await kysely
    .selectFrom('users')
    .select('id')
    .where('kind', '=', 'admin')
    .where('closed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')
