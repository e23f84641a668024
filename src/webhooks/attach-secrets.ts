import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { type Sealing, type Secrets, sealSecrets } from './sealing.ts'

/**
 * Attaches a password or meta to the deliveries that this transaction records about a user. They reach the database
 * sealed, and only as a setting of the transaction: where nothing is delivered, they end with it.
 */
export async function attachSecrets(tx: Handle, sealing: Sealing, userId: number, secrets: Secrets): Promise<void> {
  if (secrets.password === null && secrets.meta === null) return
  await sql`select set_config('campus.sealed', (coalesce(nullif(current_setting('campus.sealed', true), '')::jsonb, '{}')
       || jsonb_build_object(${String(userId)}::text, ${JSON.stringify(sealSecrets(sealing, userId, secrets))}::jsonb))::text, true)`.execute(
    tx.kysely,
  )
}
