import { sql } from 'kysely'
import type { Handle } from '../../database/database.ts'
import { HttpError } from '../../errors.ts'
import type { Sealer } from '../../sealer.ts'

/** How many attempts within how long. */
export type AttemptLimit = {
  readonly max: number
  readonly withinSeconds: number
  /** What starts the count anew before the time is over. */
  readonly remedy?: 'choose another password' | 'sign in again'
}

/** Where tries are counted, and when. */
export type Tally = {
  readonly handle: Handle
  readonly sealer: Pick<Sealer, 'keyedHash'>
  readonly now: Date
}

/**
 * Counts a try before it is made, so that tries side by side count too. Throws 429 once there are too many, whether
 * or not what is tried exists. The database counts, so that several servers count together; it keeps keyed digests only,
 * since people type passwords where a login belongs, and those can be guessed.
 */
export async function countAttempt(
  tally: Tally,
  name: string,
  limit: AttemptLimit,
  onFirstRefused?: () => Promise<void>,
): Promise<void> {
  const { count, ends_at } = await addAttempt(tally, name, limit)
  // Once for each limit that is reached: nobody fills the records by trying on.
  if (count === limit.max + 1) await onFirstRefused?.()
  if (count > limit.max) throw tooManyAttempts(Math.ceil((ends_at.getTime() - tally.now.getTime()) / 1000), limit)
}

/** Counts an attempt in the same way, and gives whether there was room for it. */
export const isWithinLimit = async (tally: Tally, name: string, limit: AttemptLimit): Promise<boolean> =>
  (await addAttempt(tally, name, limit)).count <= limit.max

async function addAttempt(tally: Tally, name: string, limit: AttemptLimit) {
  const { handle, now } = tally
  const endsAt = new Date(now.getTime() + limit.withinSeconds * 1000)
  return handle.kysely
    .insertInto('attempts')
    .values({ digest: digestOf(tally, name), count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({
        count: sql`case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end`,
        ends_at: sql`case when attempts.ends_at <= ${now} then excluded.ends_at else attempts.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
}

/** Starts the count anew, as after a success. */
export async function forgetAttempts(tally: Tally, name: string): Promise<void> {
  await tally.handle.kysely.deleteFrom('attempts').where('digest', '=', digestOf(tally, name)).execute()
}

/** Takes one try back that turned out to be none, such as a success where failures are counted. */
export async function takeAttemptBack(tally: Tally, name: string): Promise<void> {
  await tally.handle.kysely
    .updateTable('attempts')
    .set(({ eb }) => ({ count: eb('count', '-', 1) }))
    .where('digest', '=', digestOf(tally, name))
    .where('count', '>', 0)
    .execute()
}

const digestOf = ({ sealer }: Tally, name: string): Buffer => sealer.keyedHash('attempts').update(name).digest()

function tooManyAttempts(seconds: number, { remedy }: AttemptLimit): HttpError {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  const hours = Math.ceil(minutes / 60)
  return new HttpError(
    429,
    hours > 2 && remedy
      ? `There were too many attempts. Try again in ${hours} hours, or ${remedy} first.`
      : `There were too many attempts. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
    {
      headers: { 'Retry-After': String(Math.max(1, seconds)) },
      reason: 'attempts',
    },
  )
}
