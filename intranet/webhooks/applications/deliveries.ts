import type { Handle } from '@campus/engine/database/database'
import type { DueWork } from '@campus/engine/database/due-work'
import { queueMailToOwnersOf } from '../../services/mail/queue-mail.ts'
import { notifyOwnersOf } from '../../services/notifications/notify.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'
import type { DeliveryKind } from '../delivery-kind.ts'
import { APPLICATION_TABLES } from '../delivery-tables.ts'
import { leaseDeliveries, leasedColumns, type ReadDelivery, waitsForEarlier } from '../lease-deliveries.ts'
import type { LeasedDelivery, Subscription } from '../leased-delivery.ts'
import { subscriptionOf } from '../subscriptions.ts'
import type { AskedRecord, ReadRecord } from './read-records.ts'

/** A delivery about a record, which is read when it is sent. */
export type ApplicationDelivery = LeasedDelivery & { readonly recordId: number }

export type Webhook = Subscription & {
  readonly applicationId: number
  readonly model: string
  readonly event: string
}

type Dependencies = {
  readonly secrets: Sealer
  readonly read: (asked: AskedRecord) => Promise<ReadRecord>
}

/** The first pending delivery of each record to a webhook. */
const WORK: DueWork<ReadDelivery<ApplicationDelivery>> = {
  table: 'webhook_deliveries',
  queue: 'webhook_id',
  isShared: true,
  waiting: "w.state = 'pending'",
  ready: waitsForEarlier(APPLICATION_TABLES),
  columns: { ...leasedColumns(APPLICATION_TABLES), recordId: 'w.record_id' },
}

/** Deliveries to applications (spec: webhooks 30). */
export const applicationDeliveries = ({ secrets, read }: Dependencies): DeliveryKind<ApplicationDelivery, Webhook> => ({
  tables: APPLICATION_TABLES,
  work: WORK,
  lease: (handle, claim) => leaseDeliveries(handle, WORK, claim),
  // The owner of an application may change.
  subscriptionTables: ['webhooks', 'applications'],
  readSubscriptions: (handle) => readWebhooks(handle, secrets),
  logged: ({ subscriptionId: webhook, recordId: record }) => ({ webhook, record }),
  async afterDisabling(tx, now, subscriptionIds) {
    await queueMailToOwnersOf(tx, now, subscriptionIds)
    await notifyOwnersOf(tx, now, subscriptionIds)
  },
  async compose({ messageId, recordId }, { applicationId, model, event, secret }) {
    const found = await read({ applicationId, model, event, recordId })
    if ('withheld' in found) return found
    return {
      body: found.body,
      headers: { 'x-model': model, 'x-event': event, 'x-delivery': messageId, 'x-secret': secret ?? '' },
      address: (url) => new URL(url),
      confidential: [],
      secretsAfter: () => 'none',
    }
  },
})

async function readWebhooks(handle: Handle, sealer: Sealer): Promise<Map<number, Webhook>> {
  const rows = await handle.kysely
    .selectFrom('webhooks')
    .innerJoin('applications', 'applications.id', 'webhooks.application_id')
    .select(['webhooks.id', 'application_id', 'owner_id', 'model', 'event', 'url', 'webhooks.secret'])
    .where('active', '=', true)
    .execute()
  return new Map(
    rows.map(({ application_id: applicationId, owner_id, model, event, ...row }) => [
      row.id,
      // An application without an owner counts for itself.
      { ...subscriptionOf({ ...row, owner: owner_id ?? -applicationId }, sealer), applicationId, model, event },
    ]),
  )
}
