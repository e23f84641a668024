import type { Handle } from '@campus/engine/database/database'
import { notFound } from '@campus/engine/errors'

type Reader = Pick<Handle, 'kysely'>

/** Returns the notifications of a user, the latest first. */
export const notificationsOf = (
  { kysely }: Reader,
  userId: number,
  part: { readonly limit: number; readonly offset: number },
) =>
  kysely
    .selectFrom('notifications')
    .select(['id', 'kind', 'details', 'created_at', 'read_at'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

/** Marks a notification as read and returns it. Throws 404 if it is another user's. */
export async function readNotification({ kysely }: Reader, userId: number, id: number, now: Date) {
  const found = await kysely
    .updateTable('notifications')
    .set(({ fn, val }) => ({ read_at: fn.coalesce('read_at', val(now)) }))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning(['kind', 'details'])
    .executeTakeFirst()
  if (!found) throw notFound('There is no such notification.')
  return found
}

export async function readAllNotifications({ kysely }: Reader, userId: number, now: Date): Promise<void> {
  await kysely
    .updateTable('notifications')
    .set({ read_at: now })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .execute()
}

/** Returns the kinds that a user gets by mail. */
export async function mailedKinds({ kysely }: Reader, userId: number): Promise<readonly string[]> {
  const rows = await kysely.selectFrom('notification_mails').select('kind').where('user_id', '=', userId).execute()
  return rows.map(({ kind }) => kind)
}

export async function chooseMailedKinds(tx: Handle, userId: number, kinds: readonly string[]): Promise<void> {
  await tx.kysely.deleteFrom('notification_mails').where('user_id', '=', userId).execute()
  if (kinds.length === 0) return
  const rows = kinds.map((kind) => ({ user_id: userId, kind }))
  await tx.kysely.insertInto('notification_mails').values(rows).execute()
}
