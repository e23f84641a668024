import type { Handle } from '@campus/engine/database/database'
import { type RawBuilder, sql } from 'kysely'
import type { MailDetails, MailKind } from './mail-kinds.ts'

/** Days for which mail is queued after a sending process was last seen. */
export const SENDER_DAYS = 1

/** Error of a request that needs mail. */
export const NO_MAIL_SENT = 'No service has sent mail in the last day: start it with a mail server.'

type Queued<Kind extends MailKind> = {
  readonly kind: Kind
  readonly userId: number
  readonly details: MailDetails[Kind]
  readonly now: Date
  /** Default: `now`. */
  readonly dueAt?: Date
}

/** Hourly maximum of mails of one kind to a person. More are not queued. */
const MAX_PER_HOUR = 50

/** SQL condition: the user was sent fewer mails of this kind than the hourly maximum. */
export const hasRoomForMail = (kind: MailKind, userId: RawBuilder<unknown>, now: Date) => sql`(
  select count(*) from (
    select from mails m where m.user_id = ${userId} and m.kind = ${kind}
      and m.created_at > ${new Date(now.getTime() - 3_600_000)} limit ${MAX_PER_HOUR}
  ) recent) < ${MAX_PER_HOUR}`

/**
 * Queues a mail, which is sent after the transaction commits. Returns false if the school sends no mail or the hourly maximum
 * is reached.
 */
export async function queueMail<Kind extends MailKind>(
  tx: Handle,
  { kind, userId, details, now, dueAt = now }: Queued<Kind>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into mails (kind, user_id, details, due_at, created_at)
    select ${kind}, id, ${JSON.stringify(details)}::jsonb, ${dueAt}, ${now} from users
    where id = ${userId} and ${IS_SENT} and ${hasRoomForMail(kind, sql`users.id`, now)}
  `.execute(tx.kysely)
  return (numAffectedRows ?? 0n) > 0n
}

/** Queues mails to the staff of the endpoints' campuses, or to all staff if these have none. */
export async function queueMailToStaffOf(tx: Handle, now: Date, endpointIds: readonly number[]): Promise<void> {
  if (endpointIds.length === 0) return
  await sql`
    insert into mails (kind, user_id, details, due_at, created_at)
    select 'endpoint_switched_off', staff.id, jsonb_build_object('endpointId', endpoint.id), ${now}, ${now}
    from unnest(${[...endpointIds]}::int[]) as endpoint (id)
    cross join lateral (
      select u.id from users u
      where u.kind = 'admin' and u.closed_at is null and not u.email_stop and (
        exists (
          select from campus_users m join campus c on c.id = m.campus_id
          where m.user_id = u.id and c.endpoint_id = endpoint.id
        ) or not exists (
          select from users u join campus_users m on m.user_id = u.id join campus c on c.id = m.campus_id
          where u.kind = 'admin' and u.closed_at is null and c.endpoint_id = endpoint.id
        )
      )
      order by u.id limit ${MAX_STAFF}
    ) staff
    where ${IS_SENT}
  `.execute(tx.kysely)
}

/** Queues mails to the owners of the webhooks' applications. */
export async function queueMailToOwnersOf(tx: Handle, now: Date, subscriptionIds: readonly number[]): Promise<void> {
  if (subscriptionIds.length === 0) return
  await sql`
    insert into mails (kind, user_id, details, due_at, created_at)
    select 'webhook_switched_off', a.owner_id, jsonb_build_object('webhookId', w.id), ${now}, ${now}
    from webhooks w join applications a on a.id = w.application_id
    where w.id = any(${[...subscriptionIds]}::int[]) and a.owner_id is not null and ${IS_SENT}
      and ${hasRoomForMail('webhook_switched_off', sql`a.owner_id`, now)}
    order by w.id
  `.execute(tx.kysely)
}

/** Maximum number of staff who are mailed about one endpoint. */
const MAX_STAFF = 20

export const IS_SENT = sql`exists (select from mail_senders where until > now())`
