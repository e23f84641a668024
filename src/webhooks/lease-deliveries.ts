import type { Handle } from '../database/database.ts'
import { type DueWork, leaseDue, nextDueAt } from '../database/due-work.ts'
import type { LeasedDelivery } from './attempt-delivery.ts'
import { IS_ACTIVE } from './sealing-keys.ts'

/**
 * The first pending delivery of each user to an endpoint: later ones wait (spec: webhooks 6, 11, 23). One with secrets that another process sealed
 * is left to that process while it is active, since no other can open them.
 */
export const DELIVERIES: DueWork<Omit<LeasedDelivery, 'createdAt' | 'leasedUntil'> & { createdAt: number }> = {
  table: 'deliveries',
  queue: 'endpoint_id',
  waiting: "w.state = 'pending'",
  ready: `not exists (
      select 1 from deliveries first where first.user_id = w.user_id and first.endpoint_id = w.endpoint_id
      and first.state = 'pending' and first.id < w.id)
    and (w.sealed_by is null or w.sealed_by = $6 or not exists (
      select 1 from sealing_keys k where k.id = w.sealed_by and ($7::boolean or ${IS_ACTIVE('k')})))`,
  columns: {
    id: 'w.id',
    webhookId: 'w.webhook_id',
    endpointId: 'w.endpoint_id',
    userId: 'w.user_id',
    login: 'w.login',
    event: 'w.event',
    record: 'w.record::text',
    sealed: 'w.sealed',
    attempts: 'w.tries',
    createdAt: '(extract(epoch from w.created_at) * 1000)::bigint',
  },
}

type Claim = Omit<Parameters<typeof leaseDue>[2], 'values'> & {
  readonly sealingId: string
  /** Whether living processes may have been unable to send their heartbeats: none is taken for dead then. */
  readonly mayBeSilent: boolean
}

/** Leases due deliveries, for each endpoint as many as there is room for. */
export async function leaseDeliveries(
  handle: Handle,
  { sealingId, mayBeSilent, ...claim }: Claim,
): Promise<LeasedDelivery[]> {
  const rows = await leaseDue(handle, DELIVERIES, { ...claim, values: [sealingId, mayBeSilent] })
  const { leasedUntil } = claim
  return rows.map(({ createdAt, ...row }) => ({ ...row, createdAt: new Date(createdAt), leasedUntil }))
}

/** When the next delivery to any of these endpoints is due. */
export const nextDeliveryAt = (handle: Handle, endpoints: readonly number[]) => nextDueAt(handle, DELIVERIES, endpoints)
