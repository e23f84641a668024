import type { Database } from '@campus/engine/database/database'
import type { DueWork } from '@campus/engine/database/due-work'
import { queueMailToStaffOf } from '../services/mail/queue-mail.ts'
import type { Sealer } from '../services/sealing/sealer.ts'
import type { Call } from './calls.ts'
import type { DeliveryKind } from './delivery-kind.ts'
import { addressOf, bodyOf, pathOf } from './delivery-request.ts'
import type { DeliveryResult } from './delivery-result.ts'
import { CAMPUS_TABLES } from './delivery-tables.ts'
import { leaseDeliveries, leasedColumns, type ReadDelivery, waitsForEarlier } from './lease-deliveries.ts'
import type { LeasedDelivery, SecretsState, Subscription } from './leased-delivery.ts'
import { leavesOf } from './redact.ts'
import { openSecrets, type Sealing, type Secrets } from './sealing.ts'
import { HEARTBEAT_TIMEOUT_SECONDS, heartbeatSealingKey, IS_ACTIVE } from './sealing-keys.ts'
import { readSubscriptions } from './subscriptions.ts'

/** A delivery about a user to an endpoint. */
export type CampusDelivery = LeasedDelivery & {
  readonly userId: number
  readonly login: string
  readonly event: Call
  readonly record: string
  readonly sealed: string | null
}

type Dependencies = {
  readonly database: Database
  readonly secrets: Sealer
  readonly sealing: Sealing
}

/** How long a sealed password or meta is stored (spec: webhooks 14). */
export const MAX_SEALED_MS = 72 * 3_600_000
const NOTHING: Secrets = { password: null, meta: null }

/**
 * The first pending delivery of each user to an endpoint. A delivery whose secrets another active process sealed is left to
 * that process, which alone can open them.
 */
const WORK: DueWork<ReadDelivery<CampusDelivery>> = {
  table: 'deliveries',
  queue: 'endpoint_id',
  waiting: "w.state = 'pending'",
  ready: `${waitsForEarlier(CAMPUS_TABLES)}
    and (w.sealed_by is null or w.sealed_by = $6 or not exists (
      select 1 from sealing_keys k where k.id = w.sealed_by and ($7::boolean or ${IS_ACTIVE('k')})))`,
  columns: {
    ...leasedColumns(CAMPUS_TABLES),
    userId: 'w.user_id',
    login: 'w.login',
    event: 'w.event',
    record: 'w.record::text',
    sealed: 'w.sealed',
  },
}

export const campusDeliveries = ({
  database,
  secrets: sealer,
  sealing,
}: Dependencies): DeliveryKind<CampusDelivery, Subscription> => ({
  tables: CAMPUS_TABLES,
  work: WORK,
  // While the database was away, active processes could not send heartbeats, so none counts as dead.
  lease: (handle, claim) =>
    leaseDeliveries(handle, WORK, claim, [sealing.id, database.wasAwayWithin(HEARTBEAT_TIMEOUT_SECONDS * 1000)]),
  subscriptionTables: ['endpoints'],
  readSubscriptions: (handle) => readSubscriptions(handle, sealer),
  logged: ({ subscriptionId: endpoint, event }) => ({ endpoint, event }),
  afterDisabling: queueMailToStaffOf,
  begin: (onError) => heartbeatSealingKey(database, sealing, onError),
  async compose(delivery, { secret }, at) {
    const { userId, sealed, createdAt } = delivery
    const isTooOld = at.getTime() - createdAt.getTime() > MAX_SEALED_MS
    const secrets = sealed === null || isTooOld ? undefined : openSecrets(sealing, userId, sealed)
    return {
      body: bodyOf({ ...delivery, key: secret ?? null, secrets: secrets ?? NOTHING }),
      headers: {},
      address: (url) => addressOf(url, pathOf(delivery)),
      confidential: leavesOf(secrets ?? NOTHING),
      secretsAfter: (result) => secretsAfter(sealed, isTooOld, secrets, result),
    }
  },
})

function secretsAfter(
  sealed: string | null,
  isTooOld: boolean,
  opened: Secrets | undefined,
  { state }: DeliveryResult,
): SecretsState {
  if (sealed === null) return 'none'
  if (!opened) return isTooOld ? 'erased' : 'lost'
  if (state === 'pending') return 'sealed'
  return state === 'dead' ? 'erased' : 'sent'
}
