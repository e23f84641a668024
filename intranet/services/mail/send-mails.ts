import { randomUUID } from 'node:crypto'
import { toError } from '@campus/engine/base/caught'
import type { Clock } from '@campus/engine/base/clock'
import { type Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import { nextAttemptAt, type RetrySchedule } from '@campus/engine/base/retry-schedule'
import { stopAll } from '@campus/engine/base/stop-all'
import { MAIL_ADDRESS } from '@campus/engine/base/text/mail-address'
import type { Database } from '@campus/engine/database/database'
import { type DueWork, extendLeases, leaseDue } from '@campus/engine/database/due-work'
import { isDatabaseAway } from '@campus/engine/database/errors'
import { WorkLoop } from '@campus/engine/database/work-loop'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import type { Config } from '../../settings/config.ts'
import { SENDER_DAYS } from './queue-mail.ts'

export type MailConfig = NonNullable<Config['mail']>

type Sending = {
  readonly database: Database
  readonly clock: Clock
  readonly mail: MailConfig
  /** Returns undefined if the mail is no longer needed. */
  readonly write: (mail: QueuedMail) => Promise<WrittenMail | undefined>
  readonly onError: (error: MailError) => void
  readonly jobs: Jobs
  readonly onOutcome: (kind: string, result: MailResult) => void
}

/** `unneeded` if there is nothing left to say, `deferred` if another attempt follows. */
export type MailResult = 'sent' | 'unneeded' | 'deferred' | 'refused'

/** A mail that was not sent, without its content. */
export type MailError = { readonly error: unknown; readonly id?: number; readonly kind?: string }

/** A mail in the queue. */
export type QueuedMail = {
  readonly id: number
  readonly kind: string
  readonly user_id: number
  readonly details: unknown
}

export type WrittenMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** Language tag (BCP 47). */
  readonly language: string
}

const MAILS: DueWork<Omit<LeasedMail, 'lease'>> = {
  table: 'mails',
  waiting: 'w.decided_at is null',
  columns: { id: 'w.id', kind: 'w.kind', user_id: 'w.user_id', details: 'w.details', attempts: 'w.tries' },
  countsLeases: true,
}
const SLEEP_MS = 5_000
/** After this time another process takes over a mail whose sender died. */
const LEASE_MS = 30_000
const HEARTBEAT_MS = 10_000
const MINUTE = 60
const HOUR = 60 * MINUTE
/** Retries a temporary refusal (greylisting) for a day. */
const SCHEDULE: RetrySchedule = {
  delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
  jitter: 0.2,
}
const TIMEOUT_MS = 20_000

/** TLS is required unless the mail server is on this machine. */
export function openTransport({ url, from, name }: MailConfig) {
  const { hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const options = { url, name, ...timeouts, requireTLS: !isHere }
  return createTransport(options, { from })
}

/** Sends due mails, one at a time, until the returned function is called. One process of a school does this. */
export function sendMails(sending: Sending): () => Promise<void> {
  const { database, jobs } = sending
  const transport = openTransport(sending.mail)
  const run = jobs.watch('send_mails', async () => {
    await announce(database)
    return (await sendNext(sending, transport)) ? undefined : NOTHING_TO_DO
  })
  const loop = new WorkLoop({
    database,
    tables: [],
    round: async () => (await run()) !== NOTHING_TO_DO,
    isIdle: () => true,
    sleepMs: () => SLEEP_MS,
    onError: (error) => sending.onError({ error }),
  })
  loop.start()
  return () => stopAll([() => loop.stop(), () => transport.close()])
}

/** Records that a process sends mails, so that mails are queued. */
const announce = ({ kysely }: Database) =>
  sql`insert into mail_senders (until) values (now() + ${SENDER_DAYS}::int * interval '1 day')
     on conflict (id) do update set until = excluded.until
     where mail_senders.until < excluded.until - interval '1 hour'`.execute(kysely)

type Transport = ReturnType<typeof openTransport>

type LeasedMail = QueuedMail & { readonly attempts: number; readonly lease: string }

/** Sends the mail that is due longest. Resolves to whether there was one. */
async function sendNext(sending: Sending, transport: Transport): Promise<boolean> {
  const { database, clock } = sending
  const lease = randomUUID()
  const claim = { now: clock.now(), lease, leaseMilliseconds: LEASE_MS, capacity: new Map([[0, 1]]) }
  const [row] = await leaseDue(database, MAILS, claim)
  if (!row) return false
  await send(sending, transport, { ...row, lease })
  return true
}

/** A mail whose sender was killed is sent again: better twice than never. */
async function send(sending: Sending, transport: Transport, mail: LeasedMail): Promise<void> {
  const { database, clock, write, onError, onOutcome } = sending
  const { id, kind, attempts, lease } = mail
  const release = (values: { sent?: boolean; error?: string | null; due_at?: Date; decided_at?: Date }) =>
    database.kysely
      .updateTable('mails')
      .set({ ...values, lease: null, leased_until: null })
      .where('id', '=', id)
      .where('lease', '=', lease)
      .execute()
  const extend = () => extendLeases(database, MAILS, { lease, keys: [id] }, LEASE_MS)
  // After a failure the next heartbeat follows, or the mail is sent twice.
  const heartbeat = setInterval(() => void extend().catch(() => {}), HEARTBEAT_MS)
  try {
    const written = await write(mail)
    if (written) await transport.sendMail(messageOf(written))
    await release({ sent: written !== undefined, error: null, decided_at: clock.now() })
    onOutcome(kind, written ? 'sent' : 'unneeded')
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    onError({ id, kind, error: new Error(reasonOf(error)) })
    const next = isRefused(error) ? undefined : nextAttemptAt(SCHEDULE, { attempts, at: clock.now() })
    await release({ error: reasonOf(error), ...(next ? { due_at: next } : { decided_at: clock.now() }) })
    onOutcome(kind, next ? 'deferred' : 'refused')
  } finally {
    clearInterval(heartbeat)
  }
}

/** Returns the message. Throws if `to` is not exactly one address, since it may have been imported. */
function messageOf({ to, subject, text, language }: WrittenMail) {
  if (!MAIL_ADDRESS.test(to)) throw new NoMailAddress()
  return {
    to: { name: '', address: to },
    subject,
    text,
    headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
    disableUrlAccess: true,
    disableFileAccess: true,
  }
}

class NoMailAddress extends Error {}

type SmtpError = Error & { readonly code?: string; readonly responseCode?: number; readonly command?: string }

/** Reports whether the server will never accept the mail (RFC 5321 §4.2.1: 5yz). A refused login is not such a refusal. */
function isRefused(error: unknown): boolean {
  if (error instanceof NoMailAddress) return true
  const { responseCode = 0, code }: SmtpError = toError(error)
  return responseCode >= 500 && code !== 'EAUTH'
}

/** Returns the response of the SMTP server without the content or recipient of the mail. */
function reasonOf(error: unknown): string {
  if (error instanceof NoMailAddress) return 'the address is none that mail can be sent to'
  const { code, responseCode, command }: SmtpError = toError(error)
  return ['the mail server', command, responseCode ?? code ?? 'failed'].filter(Boolean).join(' ')
}
