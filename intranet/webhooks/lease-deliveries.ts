import type { Handle } from '@campus/engine/database/database'
import { type DueWork, leaseDue } from '@campus/engine/database/due-work'
import type { Claim } from './delivery-kind.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { LeasedDelivery } from './leased-delivery.ts'

/** SQL on the row `w`: no earlier delivery about its subject to its subscription is pending (spec: webhooks 6, 11, 23). */
export const waitsForEarlier = ({ deliveries, about, subscriptionId }: DeliveryTables) => `not exists (
      select 1 from ${deliveries} first where first.${about} = w.${about} and first.${subscriptionId} = w.${subscriptionId}
      and first.state = 'pending' and first.id < w.id)`

export const leasedColumns = ({ messageId, subscriptionId }: DeliveryTables) => ({
  id: 'w.id',
  messageId: `w.${messageId}`,
  subscriptionId: `w.${subscriptionId}`,
  attempts: 'w.tries',
  createdAt: '(extract(epoch from w.created_at) * 1000)::bigint',
})

export type ReadDelivery<D extends LeasedDelivery> = Omit<D, 'createdAt' | 'leasedUntil'> & {
  readonly createdAt: number
}

/** Leases due deliveries. `values` are the parameters of further conditions. */
export async function leaseDeliveries<Row extends { readonly createdAt: number }>(
  handle: Handle,
  work: DueWork<Row>,
  claim: Claim,
  values: readonly unknown[] = [],
) {
  const leasedUntil = performance.now() + claim.leaseMilliseconds
  const rows = await leaseDue(handle, work, { ...claim, values })
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: new Date(createdAt), leasedUntil }))
}
