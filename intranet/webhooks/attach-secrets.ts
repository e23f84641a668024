import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { type Sealing, type Secrets, sealSecrets } from './sealing.ts'

/**
 * Attaches a password or meta to the calls about a user that this transaction causes, sealed, if any endpoint is enabled. The
 * setting is for the triggers of 0.2.0, which make the calls while processes of that release serve.
 */
export async function attachSecrets(
  tx: Handle,
  sealing: Sealing,
  { userId, now, ...secrets }: Secrets & { readonly userId: number; readonly now: Date },
): Promise<void> {
  if (secrets.password === null && secrets.meta === null) return
  const { by, text } = sealSecrets(sealing, userId, secrets)
  const setting = JSON.stringify({ by, text })
  await sql`
    with setting as (select set_config('campus.sealed', (coalesce(nullif(current_setting('campus.sealed', true), '')::jsonb, '{}')
      || jsonb_build_object(${String(userId)}::text, ${setting}::jsonb))::text, true))
    insert into sealed_secrets (user_id, sealed, sealed_by, created_at) select ${userId}, ${text}, ${by}, ${now}
    from setting where coalesce(current_setting('campus.webhooks', true), '') <> 'off' and exists (select from endpoints where active)
    on conflict (xid, user_id) do update set sealed = excluded.sealed, sealed_by = excluded.sealed_by`.execute(
    tx.kysely,
  )
}
