import { timingSafeEqual } from 'node:crypto'
import type { Handle } from '@campus/engine/database/database'
import type { Sealer } from '../services/sealing/sealer.ts'

type Reader = Pick<Handle, 'kysely'>

/** Returns the secret in the addresses of a person's calendars. It is not stored. */
export async function calendarToken({ kysely }: Reader, sealer: Sealer, userId: number): Promise<string> {
  const row = await kysely.selectFrom('calendars').select('renewals').where('user_id', '=', userId).executeTakeFirst()
  return sealer.sign(`calendar of ${userId}, ${row?.renewals ?? 0}`)
}

export async function isCalendarToken(
  handle: Reader,
  sealer: Sealer,
  { userId, token }: { readonly userId: number; readonly token: string },
): Promise<boolean> {
  const [given, right] = [Buffer.from(token), Buffer.from(await calendarToken(handle, sealer, userId))]
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Gives a person's calendars new addresses. The former ones stop working. */
export async function renewCalendar({ kysely }: Reader, userId: number): Promise<void> {
  await kysely
    .insertInto('calendars')
    .values({ user_id: userId, renewals: 1 })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ eb }) => ({ renewals: eb('calendars.renewals', '+', 1) })),
    )
    .execute()
}
