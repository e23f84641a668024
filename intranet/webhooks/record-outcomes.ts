import type { Database, Handle } from '@campus/engine/database/database'
import { releaseLeases } from '@campus/engine/database/due-work'
import { type RawBuilder, sql } from 'kysely'
import type { Outcome } from './attempt-delivery.ts'
import type { DeliveryKind } from './delivery-kind.ts'
import type { DeliveryTables } from './delivery-tables.ts'
import type { LeasedDelivery, Subscription } from './leased-delivery.ts'
import { namesIn } from './names-in.ts'
import { DISABLE_AFTER } from './schedule.ts'
import { storedReason } from './stored-reasons.ts'

/** Maximum number of stored attempts of a delivery. Replays add to them. */
const REMEMBERED_ATTEMPTS = 50

/** Records outcomes in batches. Skips deliveries that another process has leased meanwhile. */
export async function recordOutcomes<D extends LeasedDelivery, S extends Subscription>(
  database: Database,
  { tables, work, afterDisabling }: DeliveryKind<D, S>,
  lease: string,
  outcomes: readonly Outcome[],
): Promise<void> {
  const released = outcomes.filter(({ kind }) => kind === 'released').map(({ id }) => id)
  if (released.length > 0) await releaseLeases(database, work, { lease, keys: released })
  const withheld = outcomes.filter((outcome) => outcome.kind === 'withheld')
  if (withheld.length > 0) await rejectWithheld(database, tables, lease, withheld)
  const attempted = outcomes.filter((outcome) => outcome.kind === 'attempted')
  if (attempted.length === 0) return
  const failed = attempted.filter(isFailure)
  if (failed.length === 0) return updateDeliveries(database, tables, lease, attempted)
  await database.transaction(async (tx) => {
    await updateDeliveries(tx, tables, lease, attempted)
    await holdBackLater(tx, tables, failed)
    await countFailures(tx, tables, failed)
    const now = new Date(Math.max(...failed.map(({ endedAt }) => endedAt.getTime())))
    await afterDisabling(tx, now, await disableFailing(tx, tables, failed, now))
  })
}

type Attempted = Extract<Outcome, { kind: 'attempted' }>
type Withheld = Extract<Outcome, { kind: 'withheld' }>

const isFailure = ({ deliveryResult: { state } }: Attempted) => state === 'pending' || state === 'dead'

/** A withheld delivery was not sent, so it says nothing about the endpoint. */
async function rejectWithheld(
  handle: Handle,
  tables: DeliveryTables,
  lease: string,
  withheld: readonly Withheld[],
): Promise<void> {
  const { deliveries } = namesIn(tables)
  const rows = withheld.map(({ id, error, endedAt }) => ({ id, error, ended_at: endedAt }))
  await sql`update ${deliveries} d set state = 'rejected', due_at = null, decided_at = f.ended_at, updated_at = f.ended_at,
       status = null, answer = null, error = f.error, lease = null, leased_until = null
     from json_to_recordset(${JSON.stringify(rows)}::json) as f(id int, error text, ended_at timestamptz)
     where d.id = f.id and d.lease = ${lease}`.execute(handle.kysely)
}

/**
 * Writes the outcomes of leased deliveries. Any outcome except a failure deletes the recorded failures of the
 * subscription. Two processes never wait for each other: each writes only the deliveries that it leased, and leasing
 * skips locked rows.
 */
async function updateDeliveries(
  handle: Handle,
  tables: DeliveryTables,
  lease: string,
  attempted: readonly Attempted[],
): Promise<void> {
  const { deliveries, subscriptions, failures, subscriptionId } = namesIn(tables)
  const answering = [...new Set(attempted.filter((one) => !isFailure(one)).map((one) => one.subscriptionId))]
  await sql`with answered as (delete from ${failures} where ${subscriptionId} = any(${answering}::int[]))
     update ${deliveries} d set
       state = case when f.state = 'pending' and not ${IS_CALLED} then 'dead' else f.state end,
       due_at = case when ${IS_CALLED} then f.due_at end,
       decided_at = case when f.state = 'pending' and ${IS_CALLED} then null else f.ended_at end,
       tries = d.tries + 1, last_try_at = f.at, status = f.status, error = f.error, answer = f.answer,
       milliseconds = f.milliseconds, updated_at = f.ended_at, ${tables.hasSecrets ? SECRETS : sql``}
       attempts = (case when jsonb_array_length(d.attempts) < ${REMEMBERED_ATTEMPTS} then d.attempts else d.attempts - 0 end)
         || f.attempt,
       lease = null, leased_until = null
     from json_to_recordset(${JSON.stringify(attempted.map(rowOf))}::json) as f(
       id int, state text, due_at timestamptz, at timestamptz, ended_at timestamptz, status int, error text, answer text,
       milliseconds int, secrets text, attempt jsonb), ${subscriptions} e
     where d.id = f.id and d.lease = ${lease} and e.id = d.${subscriptionId}`.execute(handle.kysely)
}

/**
 * If a concurrent transaction disables the subscription, PostgreSQL waits for it. It then rereads the delivery, which
 * is dead by then, but not the subscription.
 */
const IS_CALLED: RawBuilder<unknown> = sql`(e.active and d.state = 'pending')`

const SECRETS: RawBuilder<unknown> = sql`secrets = case when f.secrets = 'none' then d.secrets when f.secrets = 'sealed' and not ${IS_CALLED} then 'erased' else f.secrets end,
       sealed = case when f.secrets = 'sealed' and ${IS_CALLED} then d.sealed end,
       sealed_by = case when f.secrets = 'sealed' and ${IS_CALLED} then d.sealed_by end,`

function rowOf({ id, deliveryResult, at, endedAt, status, error, answer, milliseconds, secrets }: Attempted) {
  return {
    id,
    state: deliveryResult.state,
    due_at: deliveryResult.state === 'pending' ? deliveryResult.dueAt : null,
    at,
    ended_at: endedAt,
    status,
    error,
    answer,
    milliseconds,
    secrets,
    attempt: [{ at, status, error, milliseconds }],
  }
}

/** Later deliveries about the same subject are not due before the next attempt at the failed one (spec: webhooks 6, 11). */
async function holdBackLater(tx: Handle, tables: DeliveryTables, failed: readonly Attempted[]): Promise<void> {
  const waiting = failed.flatMap(({ id, deliveryResult }) =>
    deliveryResult.state === 'pending' ? [{ id, due_at: deliveryResult.dueAt }] : [],
  )
  if (waiting.length === 0) return
  const { deliveries, subscriptionId, about } = namesIn(tables)
  await sql`update ${deliveries} later set due_at = f.due_at
     from json_to_recordset(${JSON.stringify(waiting)}::json) as f(id int, due_at timestamptz) join ${deliveries} first on first.id = f.id
     where later.${about} = first.${about} and later.${subscriptionId} = first.${subscriptionId} and later.id > first.id
       and first.state = 'pending' and later.state = 'pending' and later.due_at < f.due_at`.execute(tx.kysely)
}

async function countFailures(tx: Handle, tables: DeliveryTables, failed: readonly Attempted[]): Promise<void> {
  const counts = new Map<number, { id: number; calls: number; since: Date }>()
  for (const { subscriptionId: id, at } of failed) {
    const known = counts.get(id) ?? { id, calls: 0, since: at }
    counts.set(id, { ...known, calls: known.calls + 1 })
  }
  const rows = [...counts.values()].sort((a, b) => a.id - b.id)
  const { subscriptions, failures, subscriptionId } = namesIn(tables)
  await sql`insert into ${failures} as known (${subscriptionId}, since, calls)
     select f.id, f.since, f.calls
     from json_to_recordset(${JSON.stringify(rows)}::json) as f(id int, since timestamptz, calls int)
     join ${subscriptions} e on e.id = f.id and e.active
     on conflict (${subscriptionId}) do update set calls = known.calls + excluded.calls`.execute(tx.kysely)
}

/** Disables endpoints that are gone or only fail, and returns their ids. Failures have already been counted. */
async function disableFailing(tx: Handle, tables: DeliveryTables, failed: readonly Attempted[], now: Date) {
  const gone = failed.filter(({ deliveryResult }) => deliveryResult.state === 'dead' && deliveryResult.isGone)
  const { subscriptions, failures, subscriptionId } = namesIn(tables)
  const since = new Date(now.getTime() - DISABLE_AFTER.days * 86_400_000)
  const disabledAsGone = await sql<{ id: number }>`
    update ${subscriptions} set active = false, switched_off_at = ${now}, switched_off_because = ${storedReason('gone')}
    where active and id = any(${gone.map((one) => one.subscriptionId)}::int[]) returning id`.execute(tx.kysely)
  const disabledAsFailing = await sql<{ id: number }>`
    update ${subscriptions} e set active = false, switched_off_at = ${now},
      switched_off_because = ${storedReason('failing', '')} || known.calls
    from ${failures} known
    where e.active and known.${subscriptionId} = e.id and e.id = any(${failed.map((one) => one.subscriptionId)}::int[])
      and known.calls >= ${DISABLE_AFTER.calls} and known.since <= ${since} returning e.id`.execute(tx.kysely)
  return [...disabledAsGone.rows, ...disabledAsFailing.rows].map(({ id }) => id)
}
