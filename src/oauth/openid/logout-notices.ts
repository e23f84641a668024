import { randomUUID } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import { Counter } from '../../base/metrics/counter.ts'
import { type Jobs, NOTHING_TO_DO } from '../../base/metrics/jobs.ts'
import { nextAttemptAt, type RetrySchedule } from '../../base/retry-schedule.ts'
import { stopAll } from '../../base/stop-all.ts'
import type { Database } from '../../database/database.ts'
import { type DueWork, leaseDue, releaseLeases } from '../../database/due-work.ts'
import { DUE } from '../../database/functions/change-triggers.ts'
import { WorkLoop } from '../../database/work-loop.ts'
import type { Deadlines, Transport } from '../../webhooks/transport.ts'
import { OPENID_CLIENT, type OpenId } from './openid.ts'

type Notice = {
  readonly id: number
  readonly applicationId: number
  readonly userId: number
  readonly sid: string
  readonly attempts: number
}

/** What comes of an attempt to notify an application: `deferred` where another follows, `abandoned` after the last one. */
export type LogoutOutcome = 'delivered' | 'deferred' | 'abandoned'

/** An attempt that failed, without the token. */
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
    attempts: 'w.tries',
  },
  countsLeases: true,
}
/** Attempts at one application at a time, so that one that hangs leaves the others be. */
const AT_A_TIME = 4
const APPLICATIONS_AT_A_TIME = 32
const LEASE_MS = 30_000
/** A receiver notes that a session has ended, and does no more before it answers. */
export const LOGOUT_DEADLINES: Deadlines = { connectMs: 3_000, wholeMs: 5_000 }
const SLEEP_MS = 5_000
/** A receiver that is away for an hour is not away for ever; after that its sessions have to end by themselves. */
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

/** Notifies applications of sessions that have ended (OpenID Connect Back-Channel Logout 1.0), until the returned function is called. */
export function sendLogoutNotices(sending: Sending): () => Promise<void> {
  const { database, jobs, onError } = sending
  const run = (signal: AbortSignal) =>
    jobs.watch('send_logout_notices', async () =>
      (await sendDue(sending, signal)) === 0 ? NOTHING_TO_DO : undefined,
    )()
  const loop = new WorkLoop({
    database,
    tables: [DUE.logoutNotices],
    round: async () => (await run(loop.stopping)) !== NOTHING_TO_DO,
    isIdle: () => true,
    sleepMs: () => SLEEP_MS,
    onError,
  })
  loop.start()
  return () => stopAll([() => loop.stop(), () => sending.transport.close()])
}

async function sendDue(sending: Sending, signal: AbortSignal): Promise<number> {
  const { database, clock } = sending
  const now = clock.now()
  const due = await database.kysely
    .selectFrom('logout_notices')
    .select('application_id')
    .distinct()
    .where('due_at', '<=', now)
    .limit(APPLICATIONS_AT_A_TIME)
    .execute()
  const lease = randomUUID()
  const room = new Map(due.map(({ application_id }) => [application_id, AT_A_TIME]))
  if (room.size === 0 || signal.aborted) return 0
  const notices = await leaseDue(database, NOTICES, { now, lease, leaseMilliseconds: LEASE_MS, room })
  await Promise.all(notices.map((notice) => sendOne(sending, { ...notice, lease }, signal)))
  return notices.length
}

async function sendOne(
  { database, clock, openid, transport, onOutcome, onFault }: Sending,
  notice: Notice & { readonly lease: string },
  signal: AbortSignal,
): Promise<void> {
  const leased = { lease: notice.lease, keys: [notice.id] }
  const composed = await compose({ database, openid, now: clock.now() }, notice)
  const result = composed && (await transport.post(notice.applicationId, composed, signal))
  if (result?.kind === 'aborted') return releaseLeases(database, NOTICES, leased, { isUncounted: true })
  const isDelivered = !result || (result.kind === 'answered' && result.status >= 200 && result.status < 300)
  const dueAt = isDelivered ? undefined : nextAttemptAt(SCHEDULE, { attempts: notice.attempts, at: clock.now() })
  if (dueAt) await releaseLeases(database, NOTICES, leased, { dueAt })
  else await database.kysely.deleteFrom('logout_notices').where('id', '=', notice.id).execute()
  const outcome = isDelivered ? 'delivered' : dueAt ? 'deferred' : 'abandoned'
  onOutcome(outcome)
  if (isDelivered || !result) return
  const reason = result.kind === 'answered' ? `status ${result.status}` : result.error
  onFault({ application: notice.applicationId, outcome, reason })
}

type Composing = { readonly database: Database; readonly openid: OpenId; readonly now: Date }

/** Undefined where the application does not want to hear of it any more. */
async function compose({ database, openid, now }: Composing, { applicationId, userId, sid }: Notice) {
  return database.transaction(async (tx) => {
    const client = await tx.kysely
      .selectFrom('applications')
      .select(OPENID_CLIENT)
      .select('backchannel_logout_uri')
      .where('id', '=', applicationId)
      .executeTakeFirst()
    const url = URL.parse(client?.backchannel_logout_uri ?? '')
    if (!client || !url) return undefined
    const logout_token = await openid.logoutToken(tx, now, client, { userId, sid })
    const body = new URLSearchParams({ logout_token }).toString()
    return { url, headers: { 'content-type': TYPE }, body }
  })
}
