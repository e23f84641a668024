import { hash } from 'node:crypto'
import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { Refusal } from '../errors.ts'

/** How many tries within how long. */
export type AttemptLimit = { readonly most: number; readonly withinSeconds: number }

/**
 * Counts a try before it is made, so that tries side by side count too. Throws 429 once there are too many, whether
 * or not what is tried exists. The database counts, so that several servers count together; it keeps digests only,
 * since people type passwords where a login belongs.
 */
export async function countAttempt(
  handle: Handle,
  now: Date,
  name: string,
  limit: AttemptLimit,
  onFirstRefused?: () => Promise<void>,
): Promise<void> {
  const endsAt = new Date(now.getTime() + limit.withinSeconds * 1000)
  const { count, ends_at } = await handle.kysely
    .insertInto('attempts')
    .values({ digest: digestOf(name), count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({
        count: sql`case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end`,
        ends_at: sql`case when attempts.ends_at <= ${now} then excluded.ends_at else attempts.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
  // Once for each limit that is reached: nobody fills the records by trying on.
  if (count === limit.most + 1) await onFirstRefused?.()
  if (count > limit.most) throw tooManyAttempts(Math.ceil((ends_at.getTime() - now.getTime()) / 1000))
}

/** Starts the count anew, as after a success. */
export async function forgetAttempts(handle: Handle, name: string): Promise<void> {
  await handle.kysely.deleteFrom('attempts').where('digest', '=', digestOf(name)).execute()
}

const digestOf = (name: string): Buffer => hash('sha256', name, 'buffer')

function tooManyAttempts(seconds: number): Refusal {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return new Refusal(429, `There were too many attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`, {
    headers: { 'Retry-After': String(Math.max(1, seconds)) },
  })
}
