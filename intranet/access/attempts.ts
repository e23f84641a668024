import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { type HttpError, tooManyRequests } from '@campus/engine/errors'
import { sql } from 'kysely'
import type { Sealer } from '../services/sealing/sealer.ts'

/** Maximum number of attempts within a period. */
export type AttemptLimit = {
  readonly max: number
  readonly withinSeconds: number
  /** Action that resets the count early. */
  readonly remedy?: 'choose another password' | 'sign in again'
}

export type Tally = {
  readonly handle: Handle
  readonly sealer: Pick<Sealer, 'keyedHash'>
  readonly now: Date
}

/**
 * Counts an attempt before it is made, so that concurrent ones count too. Throws 429 above the limit, whether or not the
 * account exists. The counts have keyed digests of names: people type passwords into login fields, and plain digests of
 * passwords could be guessed.
 */
export async function countAttempt(
  tally: Tally,
  name: string,
  limit: AttemptLimit,
  onFirstRefused?: () => Promise<void>,
): Promise<void> {
  const { count, ends_at } = await addAttempt(tally, name, limit)
  // Called once for each limit that is reached, so that attempts cannot fill the records.
  if (count === limit.max + 1) await onFirstRefused?.()
  if (count > limit.max) throw tooManyAttempts(Math.ceil((ends_at.getTime() - tally.now.getTime()) / 1000), limit)
}

/** Counts an attempt, and returns whether it is within the limit. */
export const isWithinLimit = async (tally: Tally, name: string, limit: AttemptLimit): Promise<boolean> =>
  (await addAttempt(tally, name, limit)).count <= limit.max

async function addAttempt(tally: Tally, name: string, limit: AttemptLimit) {
  const { handle, now } = tally
  const endsAt = new Date(now.getTime() + limit.withinSeconds * 1000)
  // A period that ends too late began before the clock was set back. Clocks of machines may differ by a day.
  const isTooLate = sql`attempts.ends_at > greatest(excluded.ends_at, now() + ${limit.withinSeconds} * interval '1 second') + interval '1 day'`
  return handle.kysely
    .insertInto('attempts')
    .values({ digest: digestOf(tally, name), count: 1, ends_at: endsAt })
    .onConflict((conflict) =>
      conflict.column('digest').doUpdateSet({
        count: sql`case when attempts.ends_at <= ${now} then 1 else attempts.count + 1 end`,
        ends_at: sql`case when attempts.ends_at <= ${now} or ${isTooLate} then excluded.ends_at else attempts.ends_at end`,
      }),
    )
    .returning(['count', 'ends_at'])
    .executeTakeFirstOrThrow()
}

/** Resets the count, as after a success. */
export async function forgetAttempts(tally: Tally, name: string): Promise<void> {
  await tally.handle.kysely.deleteFrom('attempts').where('digest', '=', digestOf(tally, name)).execute()
}

/** Takes back an attempt, such as a success where only failures count. */
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
  return tooManyRequests(
    hours > 2 && remedy
      ? message('There were too many attempts. Try again in {hours} hours, or {remedy} first.', {
          hours,
          remedy: message(remedy),
        })
      : message('There were too many attempts. Try again in {minutes, plural, one {# minute} other {# minutes}}.', {
          minutes,
        }),
    seconds,
    'attempts',
  )
}
