import type { Handle } from '@campus/engine/database/database'
import type { Sealer } from '../services/sealing/sealer.ts'
import { signerOf } from './delivery-request.ts'
import type { Subscription } from './leased-delivery.ts'

/** Returns the enabled endpoints by id. */
export async function readSubscriptions(handle: Handle, sealer: Sealer): Promise<Map<number, Subscription>> {
  const rows = await handle.kysely
    .selectFrom('endpoints')
    .select(['id', 'url', 'secret'])
    .where('active', '=', true)
    .execute()
  return new Map(rows.map((row) => [row.id, subscriptionOf(row, sealer)]))
}

type Row = { readonly id: number; readonly owner?: number; readonly url: string; readonly secret: string | null }

/** Opens the secret of a row. Without `owner`, a subscription counts for itself. */
export function subscriptionOf({ id, owner = id, url, secret: sealed }: Row, sealer: Sealer): Subscription {
  const secret = sealed ? open(sealer, sealed) : null
  return { subscriptionId: id, owner, url, secret, signer: secret ? signerOf(secret) : null }
}

function open(sealer: Sealer, secret: string): string | undefined {
  try {
    return sealer.open(secret)
  } catch {
    return undefined
  }
}
