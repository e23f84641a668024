import { randomBytes } from 'node:crypto'
import type { Rows } from '@campus/engine/database/bulk-connection'
import type { SealedColumn } from '../services/sealing/sealed-columns.ts'
import { Sealer } from '../services/sealing/sealer.ts'
import { keyIdOf } from '../services/sealing/secret-key.ts'
import { DISABLE_AFTER_LOST_SECRET } from '../webhooks/disabled-endpoints.ts'

/** Tables of short-lived digests under the secret key, which mean nothing under another key. */
export const KEYED_FOR_A_WHILE: readonly string[] = ['attempts', 'idempotency_keys']

/** Settings to make again after secrets with a lost key were deleted. */
export type LostSecrets = {
  /** Disabled endpoints, for which staff set another secret. */
  readonly webservices: readonly { readonly id: number; readonly url: string }[]
  /** Disabled webhooks, for which their owners set another secret. */
  readonly webhooks: readonly { readonly id: number; readonly application: string; readonly url: string }[]
  /** Logins of people whose authenticator app was removed. */
  readonly apps: readonly string[]
  /** Number of deleted drafts of imports. */
  readonly drafts: number
}

type TableOf<C> = C extends `${infer Table}.${string}` ? Table : never
type SealedTable = TableOf<SealedColumn>

/**
 * Deletes all secrets that are sealed with a lost key, and records the given key as that of the database. Disables endpoints
 * and webhooks, since they could not check deliveries. Must run in a transaction.
 */
export async function deleteSealed(rows: Rows, key: Buffer, now: Date): Promise<LostSecrets> {
  const sealer = new Sealer(key)
  const lost: { -readonly [Name in keyof LostSecrets]: LostSecrets[Name] } = { ...NOTHING_LOST }
  const deletions: Readonly<Record<SealedTable, () => Promise<void>>> = {
    async endpoints() {
      const found = await rows(
        `update endpoints set secret = null, secret_digest = null, ${DISABLE_AFTER_LOST_SECRET} where secret is not null returning id, url`,
        [now.toISOString()],
      )
      lost.webservices = found.map(([id, url]) => ({ id: Number(id), url: String(url) }))
    },
    async webhooks() {
      const found = await rows(
        `update webhooks w set ${DISABLE_AFTER_LOST_SECRET} from applications a where a.id = w.application_id returning w.id, a.name, w.url`,
        [now.toISOString()],
      )
      // The column is not nullable, so it has a random secret until the owner sets one.
      for (const [id] of found) {
        const secret = sealer.seal('webhooks.secret', randomBytes(32).toString('base64'))
        await rows('update webhooks set secret = $1 where id = $2', [secret, id])
      }
      lost.webhooks = found.map(([id, application, url]) => ({
        id: Number(id),
        application: String(application),
        url: String(url),
      }))
    },
    async second_factors() {
      const found = await rows(
        `with removed as (delete from second_factors returning user_id, confirmed_at)
         select login from users join removed on user_id = users.id where confirmed_at is not null order by login`,
      )
      await rows('delete from recovery_codes r where not exists (select from passkeys p where p.user_id = r.user_id)')
      lost.apps = found.map(([login]) => String(login))
    },
    async signing_keys() {
      // The next start makes new ones.
      await rows('delete from signing_keys')
    },
    async import_drafts() {
      lost.drafts = (await rows('delete from import_drafts returning id')).length
    },
  }
  for (const deleteFrom of Object.values(deletions)) await deleteFrom()
  await rows(`truncate ${KEYED_FOR_A_WHILE.join(', ')}`)
  await recordKey(rows, key)
  return lost
}

const NOTHING_LOST: LostSecrets = { webservices: [], webhooks: [], apps: [], drafts: 0 }

/** Records which key seals the secrets of the database. */
export const recordKey = (rows: Rows, key: Buffer | undefined) =>
  rows('update installation set key_id = $1', [key ? keyIdOf(key) : null])
