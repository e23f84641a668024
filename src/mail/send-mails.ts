import { createTransport } from 'nodemailer'
import type { Clock } from '../clock.ts'
import type { Database } from '../database/database.ts'
import { isDatabaseAway } from '../database/errors.ts'
import { repeatWork } from '../database/repeat-work.ts'
import { MAIL_ADDRESS } from '../mail-address.ts'
import { type Jobs, NOTHING_TO_DO } from '../metrics/jobs.ts'
import { nextAttemptAt, type RetrySchedule } from '../retry-schedule.ts'
import { stopAll } from '../stop-all.ts'
import { SENDER_DAYS } from './queue-mail.ts'

/** Where mails go out. */
export type MailConfig = {
  /** `smtp://` or `smtps://`, with a name and a password where the server wants them. */
  readonly url: string
  readonly from: string
}

type Sending = {
  readonly database: Database
  readonly clock: Clock
  readonly mail: MailConfig
  /** Gives undefined when there is nothing to tell any more. */
  readonly write: (mail: QueuedMail) => Promise<WrittenMail | undefined>
  readonly onError: (error: MailError) => void
  readonly jobs: Jobs
  readonly onOutcome: (kind: string, result: MailResult) => void
}

/** What came of an attempt: `unneeded` where there is nothing to tell any more, `deferred` where another follows. */
export type MailResult = 'sent' | 'unneeded' | 'deferred' | 'refused'

/** A mail that did not go out; says nothing of its contents. */
export type MailError = { readonly error: unknown; readonly id?: number; readonly kind?: string }

/** A mail as it was written down. */
export type QueuedMail = {
  readonly id: number
  readonly kind: string
  readonly user_id: number
  readonly details: unknown
}

/** A mail as it goes out. */
export type WrittenMail = {
  readonly to: string
  readonly subject: string
  readonly text: string
  /** As BCP 47 has it. */
  readonly language: string
}

const PAUSE_MILLISECONDS = 5_000
const AT_ONCE = 20
/** Whoever took a mail has sent it by then, or is gone. */
const LEASE_SECONDS = 900
const MINUTE = 60
const HOUR = 60 * MINUTE
/** A server that refuses for the moment (greylisting) is asked again for a day. */
const SCHEDULE: RetrySchedule = {
  delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR],
  jitter: 0.2,
}
const PATIENCE_MILLISECONDS = 20_000

/** A connection to the mail server. TLS is a must, but for a server of this machine. */
export function openTransport({ url, from }: MailConfig) {
  const { hostname } = new URL(url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const patience = { connectionTimeout: PATIENCE_MILLISECONDS, greetingTimeout: PATIENCE_MILLISECONDS }
  const options = { url, ...patience, socketTimeout: PATIENCE_MILLISECONDS, requireTLS: !isHere }
  return createTransport(options, { from })
}

/** Sends what is due, until the returned function is called. One process of a school does this. */
export function sendMails(sending: Sending): () => Promise<void> {
  const { database, jobs } = sending
  const transport = openTransport(sending.mail)
  const work = jobs.watch('send_mails', async () => {
    await announce(database)
    let [tried, due] = [0, AT_ONCE]
    for (; due === AT_ONCE; tried += due) due = await sendDue(sending, transport)
    return tried === 0 ? NOTHING_TO_DO : undefined
  })
  const onError = (error: unknown) => sending.onError({ error })
  const stop = repeatWork({ database, milliseconds: PAUSE_MILLISECONDS, atOnce: true, work, onError })
  return async () => {
    await stopAll([stop, () => transport.close()])
  }
}

/** Says that somebody sends mails, so that they are written down. */
const announce = ({ rows }: Database) =>
  rows(
    `insert into mail_senders (until) values (now() + interval '${SENDER_DAYS} days')
     on conflict (id) do update set until = excluded.until where mail_senders.until < excluded.until - interval '1 hour'`,
  )

type Transport = ReturnType<typeof openTransport>

/** Sends some mails, and gives how many were tried. */
async function sendDue(sending: Sending, transport: Transport): Promise<number> {
  const { database, clock } = sending
  const now = clock.now()
  const due = await database.kysely
    .updateTable('mails')
    .set(({ eb }) => ({
      due_at: new Date(now.getTime() + LEASE_SECONDS * 1000),
      tries: eb('tries', '+', 1),
      error: null,
    }))
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('mails')
        .select('id')
        .where('decided_at', 'is', null)
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'kind', 'user_id', 'details', 'tries'])
    .execute()
  for (const mail of due) await send(sending, transport, mail)
  return due.length
}

/** What was sent while the service was killed goes out once more: better twice than never. */
async function send(sending: Sending, transport: Transport, mail: QueuedMail & { tries: number }): Promise<void> {
  const { database, clock, write, onError, onOutcome } = sending
  const { tries } = mail
  const decide = (values: { sent?: boolean; error?: string; due_at?: Date; decided_at?: Date }) =>
    database.kysely.updateTable('mails').set(values).where('id', '=', mail.id).execute()
  try {
    const written = await write(mail)
    if (written) await transport.sendMail(messageOf(written))
    await decide({ sent: written !== undefined, decided_at: clock.now() })
    onOutcome(mail.kind, written ? 'sent' : 'unneeded')
  } catch (error) {
    if (isDatabaseAway(error)) throw error
    onError({ id: mail.id, kind: mail.kind, error: new Error(reasonOf(error)) })
    const next = isRefused(error) ? undefined : nextAttemptAt(SCHEDULE, { attempts: tries, at: clock.now() })
    await decide({ error: reasonOf(error), ...(next ? { due_at: next } : { decided_at: clock.now() }) })
    onOutcome(mail.kind, next ? 'deferred' : 'refused')
  }
}

/** Nothing in it is fetched from anywhere. Throws where the address is not one address: it may have been copied from elsewhere. */
function messageOf({ to, subject, text, language }: WrittenMail) {
  if (!MAIL_ADDRESS.test(to)) throw new NoMailAddress()
  return {
    to: { name: '', address: to },
    ...{ subject, text },
    headers: { 'Content-Language': language, 'Auto-Submitted': 'auto-generated' },
    disableUrlAccess: true,
    disableFileAccess: true,
  }
}

class NoMailAddress extends Error {}

/** The server will not take it later either (RFC 5321 §4.2.1: 5yz), unless it is our name and password that it refused. */
function isRefused(error: unknown): boolean {
  if (error instanceof NoMailAddress) return true
  const { responseCode = 0, code } = error as { responseCode?: number; code?: string }
  return responseCode >= 500 && code !== 'EAUTH'
}

/** What the server said; never what the mail says, nor whom it was for. */
function reasonOf(error: unknown): string {
  if (error instanceof NoMailAddress) return 'the address is none that mail can be sent to'
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
  return ['the mail server', command, responseCode ?? code ?? 'failed'].filter(Boolean).join(' ')
}
