import type { Sealer } from '../base/sealer.ts'
import type { Handle } from '../database/database.ts'
import type { Subscription } from './attempt-delivery.ts'
import { signerOf } from './delivery-request.ts'

/** The endpoints that are switched on, by their id. */
export async function readSubscriptions(handle: Handle, sealer: Sealer): Promise<Map<number, Subscription>> {
  const rows = await handle.kysely
    .selectFrom('endpoints')
    .select(['id', 'url', 'secret'])
    .where('active', '=', true)
    .execute()
  return new Map(
    rows.map(({ id, url, secret: sealed }) => {
      const secret = sealed ? open(sealer, sealed) : null
      return [id, { endpointId: id, url, secret, signer: secret ? signerOf(secret) : null }]
    }),
  )
}

function open(sealer: Sealer, secret: string): string | undefined {
  try {
    return sealer.open(secret)
  } catch {
    return undefined
  }
}
