import type { Handle } from '../database/database.ts'
import { type Sealing, type Secrets, sealParts } from './sealing.ts'

/**
 * Has the calls that this transaction records about a user carry a password or meta. They reach the database sealed, and
 * only as a setting of the transaction: where nobody is called, they are gone with it.
 */
export async function passAlong(tx: Handle, sealing: Sealing, userId: number, parts: Secrets): Promise<void> {
  if (parts.password === null && parts.meta === null) return
  await tx.rows(
    `select set_config('campus.sealed', (coalesce(nullif(current_setting('campus.sealed', true), '')::jsonb, '{}')
       || jsonb_build_object($1::text, $2::jsonb))::text, true)`,
    [String(userId), JSON.stringify(sealParts(sealing, userId, parts))],
  )
}
