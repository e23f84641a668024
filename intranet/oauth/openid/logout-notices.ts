import { randomUUID } from 'node:crypto'
import { toError } from '@campus/engine/base/caught'
import type { Clock } from '@campus/engine/base/clock'
import { defined } from '@campus/engine/base/defined'
import { Counter } from '@campus/engine/base/metrics/counter'
import { type Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { nextAttemptAt, type RetrySchedule } from '@campus/engine/base/retry-schedule'
import { stopAll } from '@campus/engine/base/stop-all'
import type { Database } from '@campus/engine/database/database'
import { type DueWork, leaseDue, releaseLeases } from '@campus/engine/database/due-work'
import { isDatabaseAway } from '@campus/engine/database/errors'
import { dueName } from '@campus/engine/database/functions/change-triggers'
import { isLeaseOver } from '@campus/engine/database/lease-ends'
import { WorkLoop } from '@campus/engine/database/work-loop'
import type { Deadlines, Transport } from '../../webhooks/transport.ts'
import { OPENID_CLIENT, type OpenId, sectorOf } from './openid.ts'

type Notice = {
  readonly id: number
  readonly applicationId: number
  readonly userId: number
  readonly sid: string
  /** Null if the session signed in at a process of the former release. */
  readonly sector: string | null
  readonly attempts: number
}

/** Outcome of an attempt: `deferred` if another follows, `abandoned` after the last. */
export type LogoutOutcome = 'delivered' | 'deferred' | 'abandoned'

/** A failed attempt, without the token. */
export type LogoutFault = { readonly application: number; readonly outcome: LogoutOutcome; readonly reason: string }

type Sending = {
  readonly database: Database
  readonly clock: Clock
  readonly openid: OpenId
  readonly transport: Transport
  readonly jobs: Jobs
  readonly onOutcome: (outcome: LogoutOutcome) => void
  readonly onFault: (fault: LogoutFault) => void
  readonly onError: (error: unknown) => void
}

const NOTICES: DueWork<Notice> = {
  table: 'logout_notices',
  queue: 'application_id',
  columns: {
    id: 'w.id',
    applicationId: 'w.application_id',
    userId: 'w.user_id',
    sid: 'w.sid',
    sector: 'w.sector',
    attempts: 'w.tries',
  },
  countsLeases: true,
}
/** Limits on concurrent attempts, so that slow applications delay neither those of other owners nor all of their owner. */
const LIMITS = { perApplication: 4, perOwner: 8, perProcess: 128 }
const LEASE_MS = 30_000
/** Applications only record the end of a session before they answer. */
export const LOGOUT_DEADLINES: Deadlines = { connectMs: 3_000, wholeMs: 5_000 }
const SLEEP_MS = 5_000
/** After an hour, sessions at the application must expire by themselves. */
const SCHEDULE: RetrySchedule = { delaysSeconds: [10, 60, 600, 3600], jitter: 0.2 }
const TYPE = 'application/x-www-form-urlencoded'

export const logoutAttempts = () =>
  new Counter<'outcome'>(
    {
      name: 'campus_logout_notices_total',
      help: 'Attempts to notify applications that a session has ended, by outcome (delivered, deferred, abandoned).',
    },
    ['outcome'],
  )

/** Notifies applications of ended sessions (OpenID Connect Back-Channel Logout 1.0) until the returned function is called. */
export function sendLogoutNotices(sending: Sending): () => Promise<void> {
  const { database, jobs, onError } = sending
  const attempts = new AttemptsInFlight()
  const run = (signal: AbortSignal) =>
    jobs.watch('send_logout_notices', async () =>
      (await startDue(sending, attempts, { signal, onEnd: () => loop.wake() })) === 0 ? NOTHING_TO_DO : undefined,
    )()
  const loop = new WorkLoop({
    database,
    tables: [dueName('logout_notices')],
    round: async () => (await run(loop.stopping)) !== NOTHING_TO_DO,
    isIdle: () => attempts.total === 0,
    sleepMs: () => SLEEP_MS,
    onError,
  })
  loop.start()
  return () => stopAll([() => loop.stop(), () => sending.transport.close()])
}

/** `owner` is the negative id of an application without an owner. */
type Owned = { readonly applicationId: number; readonly owner: number }

/** Counts concurrent attempts by application and by owner. */
class AttemptsInFlight {
  readonly #applications = new Map<number, number>()
  readonly #owners = new Map<number, number>()
  total = 0

  begin({ applicationId, owner }: Owned): void {
    this.#add(applicationId, owner, 1)
  }

  end({ applicationId, owner }: Owned): void {
    this.#add(applicationId, owner, -1)
  }

  ofOwner = (owner: number): number => this.#owners.get(owner) ?? 0

  ofApplication = (applicationId: number): number => this.#applications.get(applicationId) ?? 0

  /** Returns how many notices of each application may begin now. Owners take turns, those with the fewest attempts first. */
  capacity(waiting: readonly Owned[]): ReadonlyMap<number, number> {
    const capacity = new Map<number, number>()
    const taken = new Map<number, number>()
    let free = LIMITS.perProcess - this.total
    const load = (owner: number) => this.ofOwner(owner) + (taken.get(owner) ?? 0)
    const byOwner = [...Map.groupBy(waiting, ({ owner }) => owner)]
    for (let turn = 0; free > 0 && turn < LIMITS.perOwner; turn += 1)
      for (const [owner, applications] of byOwner.toSorted(([one], [other]) => load(one) - load(other))) {
        const next = applications
          .map(({ applicationId }) => ({
            applicationId,
            load: this.ofApplication(applicationId) + (capacity.get(applicationId) ?? 0),
          }))
          .filter((one) => one.load < LIMITS.perApplication)
          .toSorted((one, other) => one.load - other.load)[0]
        if (free === 0 || next === undefined || load(owner) >= LIMITS.perOwner) continue
        capacity.set(next.applicationId, (capacity.get(next.applicationId) ?? 0) + 1)
        taken.set(owner, (taken.get(owner) ?? 0) + 1)
        free -= 1
      }
    return capacity
  }

  #add(applicationId: number, owner: number, by: number): void {
    this.#applications.set(applicationId, this.ofApplication(applicationId) + by)
    this.#owners.set(owner, this.ofOwner(owner) + by)
    if (this.ofApplication(applicationId) === 0) this.#applications.delete(applicationId)
    if (this.ofOwner(owner) === 0) this.#owners.delete(owner)
    this.total += by
  }
}

type Starting = { readonly signal: AbortSignal; readonly onEnd: () => void }

/** Leases due notices within the limits, and starts an attempt at each without awaiting it. */
async function startDue(sending: Sending, attempts: AttemptsInFlight, { signal, onEnd }: Starting): Promise<number> {
  const { database, clock, onError } = sending
  if (signal.aborted || attempts.total >= LIMITS.perProcess) return 0
  const now = clock.now()
  const waiting = await waitingApplications(database, now)
  const capacity = attempts.capacity(waiting)
  if (capacity.size === 0) return 0
  const lease = randomUUID()
  const owners = new Map(waiting.map(({ applicationId, owner }) => [applicationId, owner]))
  const notices = await leaseDue(database, NOTICES, { now, lease, leaseMilliseconds: LEASE_MS, capacity })
  for (const notice of notices) {
    const owned = { applicationId: notice.applicationId, owner: defined(owners.get(notice.applicationId)) }
    attempts.begin(owned)
    void sendOne(sending, { ...notice, lease }, signal)
      // After an error the lease expires, and the notice is due again.
      .catch((error: unknown) => (isDatabaseAway(error) ? undefined : onError(error)))
      .finally(() => {
        attempts.end(owned)
        onEnd()
      })
  }
  return notices.length
}

/** Finds the applications with due notices, the longest waiting first. Reads two rows of the index for each application. */
async function waitingApplications(database: Database, now: Date): Promise<readonly Owned[]> {
  const found = await database.rows(
    `with recursive queues (application_id) as (
       (select application_id from logout_notices order by application_id limit 1)
       union all
       select (
         select w.application_id from logout_notices w where w.application_id > queues.application_id
         order by w.application_id limit 1
       ) from queues where queues.application_id is not null
     )
     select queues.application_id, coalesce(applications.owner_id, -queues.application_id)
     from queues
     left join applications on applications.id = queues.application_id
     cross join lateral (
       select w.due_at from logout_notices w
       where w.application_id = queues.application_id and w.due_at <= $1::timestamptz
         and ${isLeaseOver('w.leased_until', `interval '${LEASE_MS} milliseconds'`)}
       order by w.due_at limit 1
     ) first
     order by first.due_at, queues.application_id`,
    [now.toISOString()],
  )
  return found.map(([applicationId, owner]) => ({ applicationId: Number(applicationId), owner: Number(owner) }))
}

async function sendOne(
  sending: Sending,
  notice: Notice & { readonly lease: string },
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, onOutcome, onFault } = sending
  const leased = { lease: notice.lease, keys: [notice.id] }
  const result = await attempt(sending, notice, signal)
  if (result === 'aborted') return releaseLeases(database, NOTICES, leased, { isUncounted: true })
  const { fault } = result
  const dueAt =
    fault === undefined ? undefined : nextAttemptAt(SCHEDULE, { attempts: notice.attempts, at: clock.now() })
  if (dueAt) await releaseLeases(database, NOTICES, leased, { dueAt })
  else await database.kysely.deleteFrom('logout_notices').where('id', '=', notice.id).execute()
  const outcome = fault === undefined ? 'delivered' : dueAt ? 'deferred' : 'abandoned'
  onOutcome(outcome)
  if (fault !== undefined) onFault({ application: notice.applicationId, outcome, reason: fault })
}

/** Sends a logout token. Returns the reason if that failed. */
async function attempt(
  { database, clock, openid, transport }: Sending,
  notice: Notice,
  signal: AbortSignal,
): Promise<'aborted' | { readonly fault?: string }> {
  // Each process that sent the notice died before it recorded the outcome.
  if (notice.attempts > SCHEDULE.delaysSeconds.length + 1) return { fault: 'the last attempt did not end' }
  let composed: Awaited<ReturnType<typeof compose>>
  try {
    composed = await compose({ database, openid, now: clock.now() }, notice)
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    return { fault: `no logout token was made: ${toError(error).message}` }
  }
  if (!composed) return {}
  const result = await transport.post(notice.applicationId, composed, signal)
  if (result.kind === 'aborted') return 'aborted'
  if (result.kind === 'failed') return { fault: result.error }
  return result.status >= 200 && result.status < 300 ? {} : { fault: `status ${result.status}` }
}

type Composing = { readonly database: Database; readonly openid: OpenId; readonly now: Date }

/** Returns undefined if the application has no logout address any more. */
async function compose({ database, openid, now }: Composing, { applicationId, userId, sid, sector }: Notice) {
  return database.transaction(async (tx) => {
    const client = await tx.kysely
      .selectFrom('applications')
      .select(OPENID_CLIENT)
      .select('backchannel_logout_uri')
      .where('id', '=', applicationId)
      .executeTakeFirst()
    const url = URL.parse(client?.backchannel_logout_uri ?? '')
    if (!client || !url) return undefined
    const logout_token = await openid.logoutToken(tx, now, client, {
      userId,
      sid,
      sector: sector ?? sectorOf(client),
    })
    const body = new URLSearchParams({ logout_token }).toString()
    return { url, headers: { 'content-type': TYPE }, body }
  })
}
