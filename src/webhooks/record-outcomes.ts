import { sql } from 'kysely'
import type { Database, Handle } from '../database/database.ts'
import { releaseLeases } from '../database/due-work.ts'
import { queueMailToStaffOf } from '../services/mail/queue-mail.ts'
import type { Outcome } from './attempt-delivery.ts'
import { DELIVERIES } from './lease-deliveries.ts'
import { SWITCH_OFF_AFTER } from './schedule.ts'
import { storedReason } from './stored-reasons.ts'

/** Attempts that a delivery remembers; replays add to them. */
const REMEMBERED_ATTEMPTS = 50

/** Records the outcomes of deliveries, many at once. What another process has leased meanwhile is left to that one. */
export async function recordOutcomes(database: Database, lease: string, outcomes: readonly Outcome[]): Promise<void> {
  const released = outcomes.filter(({ kind }) => kind === 'released').map(({ id }) => id)
  if (released.length > 0) await releaseLeases(database, DELIVERIES, { lease, keys: released })
  const attempted = outcomes.filter((outcome) => outcome.kind === 'attempted')
  if (attempted.length === 0) return
  const failed = attempted.filter(isFailure)
  if (failed.length === 0) return updateDeliveries(database, lease, attempted)
  await database.transaction(async (tx) => {
    await updateDeliveries(tx, lease, attempted)
    await holdBackLater(tx, failed)
    await countFailures(tx, failed)
    await disableEndpoints(tx, failed)
  })
}

type Attempted = Extract<Outcome, { kind: 'attempted' }>

const isFailure = ({ deliveryResult: { state } }: Attempted) => state === 'pending' || state === 'dead'

/**
 * An endpoint that has answered anything final is not failing. Two processes that write never wait for each other: each
 * writes what it holds the lease of, and leasing passes over what is being written.
 */
async function updateDeliveries(handle: Handle, lease: string, attempted: readonly Attempted[]): Promise<void> {
  const answering = [...new Set(attempted.filter((one) => !isFailure(one)).map(({ endpointId }) => endpointId))]
  await sql`with answered as (delete from endpoint_failures where endpoint_id = any(${answering}::int[]))
     update deliveries d set
       state = case when f.state = 'pending' and not e.active then 'dead' else f.state end,
       due_at = case when e.active then f.due_at end,
       decided_at = case when f.state = 'pending' and e.active then null else f.ended_at end,
       tries = d.tries + 1, last_try_at = f.at, status = f.status, error = f.error, answer = f.answer,
       milliseconds = f.milliseconds, updated_at = f.ended_at,
       secrets = case when f.secrets = 'none' then d.secrets when f.secrets = 'sealed' and not e.active then 'erased' else f.secrets end,
       sealed = case when f.secrets = 'sealed' and e.active then d.sealed end,
       sealed_by = case when f.secrets = 'sealed' and e.active then d.sealed_by end,
       attempts = (case when jsonb_array_length(d.attempts) < ${REMEMBERED_ATTEMPTS} then d.attempts else d.attempts - 0 end)
         || f.attempt,
       lease = null, leased_until = null
     from json_to_recordset(${JSON.stringify(attempted.map(rowOf))}::json) as f(
       id int, state text, due_at timestamptz, at timestamptz, ended_at timestamptz, status int, error text, answer text,
       milliseconds int, secrets text, attempt jsonb), endpoints e
     where d.id = f.id and d.lease = ${lease} and e.id = d.endpoint_id`.execute(handle.kysely)
}

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

/** Later deliveries about a user wait for the one that failed: they are not due until its next attempt (spec: webhooks 6, 11). */
async function holdBackLater(tx: Handle, failed: readonly Attempted[]): Promise<void> {
  const waiting = failed.flatMap(({ id, deliveryResult }) =>
    deliveryResult.state === 'pending' ? [{ id, due_at: deliveryResult.dueAt }] : [],
  )
  if (waiting.length === 0) return
  await sql`update deliveries later set due_at = f.due_at
     from json_to_recordset(${JSON.stringify(waiting)}::json) as f(id int, due_at timestamptz) join deliveries first on first.id = f.id
     where later.user_id = first.user_id and later.endpoint_id = first.endpoint_id and later.id > first.id
       and first.state = 'pending' and later.state = 'pending' and later.due_at < f.due_at`.execute(tx.kysely)
}

async function countFailures(tx: Handle, failed: readonly Attempted[]): Promise<void> {
  const counts = new Map<number, { endpoint_id: number; calls: number; since: Date }>()
  for (const { endpointId, at } of failed) {
    const known = counts.get(endpointId) ?? { endpoint_id: endpointId, calls: 0, since: at }
    counts.set(endpointId, { ...known, calls: known.calls + 1 })
  }
  const rows = [...counts.values()].sort((a, b) => a.endpoint_id - b.endpoint_id)
  await sql`insert into endpoint_failures as known (endpoint_id, since, calls)
     select f.endpoint_id, f.since, f.calls
     from json_to_recordset(${JSON.stringify(rows)}::json) as f(endpoint_id int, since timestamptz, calls int)
     join endpoints e on e.id = f.endpoint_id and e.active
     on conflict (endpoint_id) do update set calls = known.calls + excluded.calls`.execute(tx.kysely)
}

/** An endpoint that answers 410, and one that only fails, get no more deliveries until someone enables them (spec: webhooks 9, 12, 22). */
async function disableEndpoints(tx: Handle, failed: readonly Attempted[]): Promise<void> {
  const gone = failed.filter(({ deliveryResult }) => deliveryResult.state === 'dead' && deliveryResult.isGone)
  const all = [...new Set(failed.map(({ endpointId }) => endpointId))]
  const now = new Date(Math.max(...failed.map(({ endedAt }) => endedAt.getTime())))
  const off = { active: false, switched_off_at: now }
  const said = await tx.kysely
    .updateTable('endpoints')
    .set({ ...off, switched_off_because: storedReason('gone') })
    .where('active', '=', true)
    .where(sql<boolean>`id = any(${gone.map(({ endpointId }) => endpointId)}::int[])`)
    .returning('id')
    .execute()
  const failing = await tx.kysely
    .updateTable('endpoints as e')
    .from('endpoint_failures as known')
    .set({
      ...off,
      switched_off_because: sql`${storedReason('failing', '')} || known.calls`,
    })
    .where('e.active', '=', true)
    .whereRef('known.endpoint_id', '=', 'e.id')
    .where('e.id', 'in', all)
    .where('known.calls', '>=', SWITCH_OFF_AFTER.calls)
    .where('known.since', '<=', new Date(now.getTime() - SWITCH_OFF_AFTER.days * 86_400_000))
    .returning('e.id')
    .execute()
  await queueMailToStaffOf(
    tx,
    now,
    [...said, ...failing].map(({ id }) => id),
  )
}
