import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { type Sealing, type Secrets, sealSecrets } from './sealing.ts'

/**
 * Attaches a password or meta to the calls that are made of this transaction's changes of a user. They reach the database sealed,
 * and only while anybody is called.
 */
export async function attachSecrets(
  tx: Handle,
  sealing: Sealing,
  { userId, now, ...secrets }: Secrets & { readonly userId: number; readonly now: Date },
): Promise<void> {
  if (secrets.password === null && secrets.meta === null) return
  const { by, text } = sealSecrets(sealing, userId, secrets)
  await sql`
    insert into sealed_secrets (user_id, sealed, sealed_by, created_at) select ${userId}, ${text}, ${by}, ${now}
    where coalesce(current_setting('campus.webhooks', true), '') <> 'off' and exists (select from endpoints where active)
    on conflict (xid, user_id) do update set sealed = excluded.sealed, sealed_by = excluded.sealed_by`.execute(
    tx.kysely,
  )
}
