import { hash } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'

/** Days for which an account knows a browser after a sign-in. */
export const KNOWN_DAYS = 180

/** Records a sign-in with the browser key of 256 random bits. */
export async function rememberBrowser(tx: Handle, now: Date, userId: number, key: string): Promise<void> {
  await tx.kysely
    .insertInto('known_browsers')
    .values({ user_id: userId, digest: digestOf(key), last_used_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'digest']).doUpdateSet({ last_used_at: now }))
    .execute()
}

/** Reports whether the user has signed in with this browser key. */
export async function knowsBrowser(
  handle: Handle,
  now: Date,
  userId: number,
  key: string | undefined,
): Promise<boolean> {
  if (key === undefined) return false
  const found = await handle.kysely
    .selectFrom('known_browsers')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('digest', '=', digestOf(key))
    .where('last_used_at', '>', new Date(now.getTime() - KNOWN_DAYS * 86_400_000))
    .executeTakeFirst()
  return found !== undefined
}

/** Makes all browsers unknown, as after a password that others may have known. */
export async function forgetBrowsers(tx: Handle, userId: number): Promise<void> {
  await tx.kysely.deleteFrom('known_browsers').where('user_id', '=', userId).execute()
}

const digestOf = (key: string): Buffer => hash('sha256', key, 'buffer')
