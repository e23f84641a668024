import type { Database, Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { sql } from 'kysely'
import { isNamedAdministrator } from '../../../access/powers.ts'
import { type Actor, type AuditKind, recordAudit } from '../../../services/audit/audit.ts'
import { eraseAnswersNaming } from '../../../webhooks/erase-answers.ts'
import { closeAccount } from './closes.ts'

type Anonymizing = { readonly userId: number; readonly actor: Actor; readonly now: Date }

/** Tables whose rows let a user sign in, identify the user, or are addressed to the user. */
const DELETED = [
  'import_drafts',
  'known_browsers',
  'mails',
  'notification_mails',
  'notifications',
  'passkey_handles',
  'passkeys',
  'profile_pictures',
  'recovery_codes',
  'roles_users',
  'school_identities',
  'second_factors',
] as const

const OF_PASSKEYS: readonly AuditKind[] = ['passkey_added', 'passkey_removed', 'passkey_renamed', 'passkey_suspected']

const ADDRESS = {
  user_address: null,
  user_city: null,
  user_country: null,
  user_postal: null,
  convention_url: null,
} as const

/** First name and login prefix of anonymized users. Programs for this API test for it. */
const ANONYMOUS = '3b3'

/**
 * Closes an account and removes what identifies its user (spec: accounts 25). Marks, points and texts stay. Returns the
 * new login. Throws 422 for an administrator, and if the account is opened again meanwhile.
 */
export async function anonymizeUser(database: Database, anonymizing: Anonymizing): Promise<string> {
  // A separate transaction, so that new sign-ins are refused while it waits for those under way.
  await database.transaction((tx) => closeForGood(tx, anonymizing))
  return database.transaction((tx) => removeIdentity(tx, anonymizing))
}

async function closeForGood(tx: Handle, { userId, actor, now }: Anonymizing): Promise<void> {
  if (await isNamedAdministrator(tx, userId)) {
    throw unprocessable({ base: ['An administrator of the school is not anonymized: make them none first.'] })
  }
  const user = tx.kysely.selectFrom('users').select('closed_at').where('id', '=', userId)
  if ((await user.executeTakeFirstOrThrow()).closed_at !== null) return
  await closeAccount(tx, { user_id: userId, kind: 'other', reason: 'Anonymized' }, actor, now)
}

async function removeIdentity(tx: Handle, { userId, actor, now }: Anonymizing): Promise<string> {
  const { kysely } = tx
  const identity = ['login', 'email', 'phone', 'first_name', 'last_name', 'usual_first_name'] as const
  const named = await kysely.selectFrom('users').select(identity).where('id', '=', userId).executeTakeFirstOrThrow()
  await eraseAnswersNaming(tx, named)
  // Pending deliveries keep their order, so the campuses receive the close and the new name last.
  await kysely.deleteFrom('deliveries').where('user_id', '=', userId).where('state', '!=', 'pending').execute()
  await kysely.deleteFrom('callbacks').where('user_id', '=', userId).execute()
  for (const table of DELETED) await kysely.deleteFrom(table).where('user_id', '=', userId).execute()
  await kysely.updateTable('internships').set(ADDRESS).where('user_id', '=', userId).execute()
  const documents = kysely.updateTable('certificates_users').where('user_id', '=', userId)
  await documents.set({ pdf: null, qrcode: null }).execute()
  const addresses = kysely.updateTable('scale_teams').where('user_id', '=', userId).where('ip', 'is not', null)
  await addresses.set({ ip: null }).execute()
  const events = kysely.updateTable('audit_events').where('actor_id', '=', userId).where('address', 'is not', null)
  await events.set({ address: null }).execute()
  // The details of passkey events contain names that the user chose.
  const passkeys = kysely.updateTable('audit_events').where('subject_id', '=', userId).where('kind', 'in', OF_PASSKEYS)
  await passkeys.set({ details: sql`'{}'` }).execute()
  const login = await freeLogin(tx, userId)
  const { numUpdatedRows } = await kysely
    .updateTable('users')
    .set(({ eb }) => ({
      login,
      email: `${login}@anonymous.invalid`,
      first_name: ANONYMOUS,
      last_name: String(userId),
      usual_first_name: null,
      phone: null,
      image: null,
      status: null,
      password_digest: null,
      email_stop: true,
      last_seen_at: null,
      anonymize_date: now.toISOString().slice(0, 10),
      anonymized_at: now,
      revision: eb('revision', '+', 1),
      updated_at: now,
    }))
    .where('id', '=', userId)
    .where('closed_at', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n)
    throw unprocessable({ base: ['The account was opened again meanwhile; nothing was removed.'] })
  await recordAudit(tx, now, { kind: 'account_anonymized', actor, subjectId: userId })
  return login
}

/** Returns `3b3-<id>`, with a number appended if another account has that login. */
async function freeLogin({ kysely }: Handle, userId: number): Promise<string> {
  const login = `${ANONYMOUS}-${userId}`
  const { rows } = await sql<{ login: string }>`
    select login from users where id <> ${userId} and (login = ${login} or login like ${`${login}-%`})`.execute(kysely)
  const taken = new Set(rows.map((row) => row.login))
  let free = login
  for (let number = 2; taken.has(free); number += 1) free = `${login}-${number}`
  return free
}
