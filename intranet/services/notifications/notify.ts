import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'
import { hasRoomForMail, IS_SENT } from '../mail/queue-mail.ts'

/** Data of each kind of notification. It contains no secrets and names no hidden people. */
export type NotificationDetails = {
  readonly evaluation_booked: EvaluationDetails
  readonly evaluation_cancelled: EvaluationDetails
  /** Begins in a quarter of an hour. */
  readonly evaluation_soon: EvaluationDetails
  readonly team_locked: { readonly teamId: number; readonly team: string }
  readonly project_marked: { readonly teamId: number; readonly team: string; readonly mark: number }
  /** Seen once the account is open again. */
  readonly account_closed: Readonly<Record<string, never>>
  readonly account_opened: Readonly<Record<string, never>>
  /** A webhook of one of their applications was disabled. */
  readonly application_warned: { readonly applicationId: number; readonly application: string }
  /** Text that staff send to a campus. */
  readonly announcement: { readonly text: string }
}
type EvaluationDetails = { readonly evaluationId: number; readonly scale: string; readonly at: string }

export type NotificationKind = keyof NotificationDetails

type Notification<Kind extends NotificationKind> = {
  readonly kind: Kind
  readonly userIds: readonly number[]
  readonly details: NotificationDetails[Kind]
  readonly now: Date
  /** Identifies the subject if each user is notified of it once. */
  readonly subjectId?: number
}

/** Notifies users in the transaction of the event, and mails those who want mails of this kind. */
export async function notify<Kind extends NotificationKind>(
  tx: Pick<Handle, 'kysely'>,
  { kind, userIds, details, now, subjectId }: Notification<Kind>,
): Promise<void> {
  if (userIds.length === 0) return
  await sql`
    with made as (
      insert into notifications (user_id, kind, details, subject_id, created_at)
      select id, ${kind}, ${JSON.stringify(details)}::jsonb, ${subjectId ?? null}::int, ${now}
      from unnest(${[...new Set(userIds)]}::int[]) as u (id) on conflict (user_id, kind, subject_id) do nothing
      returning user_id
    )
    ${mailsOf(kind, details, now)}`.execute(tx.kysely)
}

/** Notifies all users of a campus with open accounts. Returns their number. */
export async function notifyCampus(tx: Handle, campusId: number, text: string, now: Date): Promise<number> {
  const details = { text }
  const { rows } = await sql<{ count: number }>`
    with made as (
      insert into notifications (user_id, kind, details, created_at)
      select u.id, 'announcement', ${JSON.stringify(details)}::jsonb, ${now}
      from users u where u.closed_at is null
        and exists (select from campus_users m where m.user_id = u.id and m.campus_id = ${campusId})
      returning user_id
    ), mailed as (${mailsOf('announcement', details, now)})
    select count(*)::int as count from made`.execute(tx.kysely)
  return rows[0]?.count ?? 0
}

/** Notifies the owners of the applications of disabled webhooks. */
export async function notifyOwnersOf(tx: Handle, now: Date, subscriptionIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ owner: number; id: number; name: string }>`
    select distinct a.owner_id as owner, a.id, a.name from webhooks w join applications a on a.id = w.application_id
    where w.id = any(${[...subscriptionIds]}::int[]) and a.owner_id is not null order by a.id`.execute(tx.kysely)
  for (const { owner, id, name } of rows) {
    const details = { applicationId: id, application: name }
    await notify(tx, { kind: 'application_warned', userIds: [owner], details, now })
  }
}

/** Minutes before an evaluation at which its participants are reminded. */
const SOON_MINUTES = 15

/** Reminds the participants of evaluations that begin soon, once each. Returns the number of reminders. */
export async function remindOfEvaluations(handle: Pick<Handle, 'kysely'>, now: Date): Promise<number> {
  const until = new Date(now.getTime() + SOON_MINUTES * 60_000)
  // Writes nothing if there is nobody to remind.
  const { rows } = await sql<{ id: number; name: string; begin_at: Date; user_id: number }>`
    select st.id, s.name, st.begin_at, p.user_id from scale_teams st join scales s on s.id = st.scale_id
    cross join lateral (
      select st.user_id union select m.user_id from teams_users m where m.team_id = st.team_id and m.validated
    ) p
    where st.begin_at > ${now} and st.begin_at <= ${until} and st.filled_at is null and p.user_id is not null
      and not exists (select from notifications n
        where n.user_id = p.user_id and n.kind = 'evaluation_soon' and n.subject_id = st.id)`.execute(handle.kysely)
  for (const [id, of] of Map.groupBy(rows, (row) => row.id)) {
    const [first] = of
    const details = { evaluationId: id, scale: first?.name ?? '', at: first?.begin_at.toISOString() ?? '' }
    const userIds = of.map((row) => row.user_id)
    await notify(handle, { kind: 'evaluation_soon', userIds, details, subjectId: id, now })
  }
  return rows.length
}

/** Mails users in `made` who want mails of this kind. */
const mailsOf = (kind: NotificationKind, details: object, now: Date) => sql`
  insert into mails (kind, user_id, details, due_at, created_at)
  select 'notification', user_id, ${JSON.stringify({ kind, details })}::jsonb, ${now}, ${now}
  from notification_mails wanted join made using (user_id)
  where wanted.kind = ${kind} and ${IS_SENT} and ${hasRoomForMail('notification', sql`made.user_id`, now)}`
