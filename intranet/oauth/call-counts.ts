import type { Clock } from '@campus/engine/base/clock'
import { defined } from '@campus/engine/base/defined'
import { type Jobs, NOTHING_TO_DO } from '@campus/engine/base/metrics/jobs'
import type { Database, Handle } from '@campus/engine/database/database'
import { repeatWork } from '@campus/engine/database/repeat-work'
import { databaseTimeZone } from '@campus/engine/database/time-zones'
import { sql } from 'kysely'
import { addCalls } from './add-calls.ts'
import { type Call, CallTally } from './call-tally.ts'

const HOUR_MS = 3_600_000
const FLUSH_MS = 10_000

/** Calls in the hour that begins at `hour`. */
export type HourOfCalls = { readonly hour: Date; readonly made: number; readonly refused: number }

/**
 * Counts calls of applications in memory and adds them to the database in batches. Several processes add to the same rows. A
 * killed process loses the calls since its last flush.
 */
export class CallCounts {
  readonly #database: Database
  readonly #clock: Clock
  /** Tallies of the current hour, by application. */
  readonly #tallies = new Map<number, CallTally>()
  /** Tallies of past hours. */
  #former: CallTally[] = []
  #flushing: Promise<unknown> = Promise.resolve()

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  add(applicationId: number, call: Call): void {
    const now = this.#clock.now()
    const hourMs = hourOf(now)
    let tally = this.#tallies.get(applicationId)
    if (tally?.hourMs !== hourMs) {
      if (tally) this.#former.push(tally)
      tally = new CallTally(applicationId, hourMs)
      this.#tallies.set(applicationId, tally)
    }
    tally.add(call, now)
  }

  /**
   * Writes the counts and returns their number. Counts that cannot be written stay for the next flush, and the error is
   * thrown.
   */
  flush(): Promise<number> {
    const flushed = this.#flushing.catch(() => {}).then(() => this.#write())
    this.#flushing = flushed
    return flushed
  }

  /** Flushes every ten seconds until the returned function is called, which flushes once more. */
  flushRegularly(jobs: Jobs, onError: (error: unknown) => void): () => Promise<void> {
    const work = jobs.watch('write_call_counts', async () => ((await this.flush()) === 0 ? NOTHING_TO_DO : undefined))
    const stop = repeatWork({ database: this.#database, milliseconds: FLUSH_MS, work, onError })
    return async () => {
      await stop()
      await work().catch(onError)
    }
  }

  async #write(): Promise<number> {
    const former = this.#former
    const counted = [...former, ...this.#tallies.values()].filter((tally) => !tally.isEmpty)
    const batches = counted.map((tally) => tally.take())
    if (batches.length > 0) {
      try {
        await addCalls(this.#database, batches)
      } catch (error) {
        for (const [at, tally] of counted.entries()) tally.putBack(defined(batches[at]))
        throw error
      }
    }
    this.#former = this.#former.filter((tally) => !former.includes(tally))
    this.#forgetIdle()
    return batches.length
  }

  /** Forgets applications without a call in this hour. */
  #forgetIdle(): void {
    const hourMs = hourOf(this.#clock.now())
    for (const [id, tally] of this.#tallies) if (tally.hourMs !== hourMs && tally.isEmpty) this.#tallies.delete(id)
  }
}

const hourOf = (time: Date) => Math.floor(time.getTime() / HOUR_MS) * HOUR_MS
/** Returns the last `hours` hours of an application, the oldest first, with zeros for hours without calls. */
export async function callsByHour(
  handle: Handle,
  applicationId: number,
  { now, hours }: { readonly now: Date; readonly hours: number },
): Promise<HourOfCalls[]> {
  const last = hourOf(now)
  const first = last - (hours - 1) * HOUR_MS
  const rows = await handle.kysely
    .selectFrom('application_calls')
    .select(['hour', 'made', 'refused'])
    .where('application_id', '=', applicationId)
    .where('hour', '>=', new Date(first))
    .where('hour', '<=', new Date(last))
    .execute()
  const known = new Map(rows.map((row) => [row.hour.getTime(), row]))
  return Array.from({ length: hours }, (_, index) => {
    const hour = first + index * HOUR_MS
    const { made = 0, refused = 0 } = known.get(hour) ?? {}
    return { hour: new Date(hour), made, refused }
  })
}

/** Calls of all applications on a day such as 2026-03-02. */
export type DayOfCalls = { readonly day: string; readonly made: number; readonly refused: number }

/** Returns the last days in a time zone, the oldest first, with zeros for days without calls. */
export async function callsByDay(
  { kysely }: Pick<Handle, 'kysely'>,
  { now, days, timeZone }: { readonly now: Date; readonly days: number; readonly timeZone: string },
): Promise<DayOfCalls[]> {
  const zone = await databaseTimeZone({ kysely }, timeZone)
  const today = sql`date_trunc('day', ${now.toISOString()}::timestamptz at time zone ${zone})`
  const { rows } = await sql<DayOfCalls>`
    select to_char(day, 'YYYY-MM-DD') as day, coalesce(sum(made), 0)::float8 as made,
       coalesce(sum(refused), 0)::float8 as refused
     from generate_series(${today} - (${days}::int - 1) * interval '1 day', ${today}, interval '1 day') day
     left join application_calls
       on hour >= day at time zone ${zone} and hour < (day + interval '1 day') at time zone ${zone}
     group by 1 order by 1`.execute(kysely)
  return rows
}

/** Calls of a person's applications in this hour and in the last day. */
export type CallsOfOwn = {
  readonly id: number
  readonly thisHour: number
  readonly lastDay: number
  readonly refused: number
}

/** By application. Applications without calls are absent. */
export async function callsOfOwn(
  { kysely }: Pick<Handle, 'kysely'>,
  ownerId: number,
  now: Date,
): Promise<CallsOfOwn[]> {
  const hour = new Date(hourOf(now))
  const dayBefore = new Date(hour.getTime() - 24 * HOUR_MS)
  const { rows } = await sql<CallsOfOwn>`
    select c.application_id as id, sum(c.made)::float8 as "lastDay", sum(c.refused)::float8 as refused,
       coalesce(sum(c.made - c.refused) filter (where c.hour = ${hour}), 0)::float8 as "thisHour"
     from applications a join application_calls c
       on c.application_id = a.id and c.hour > ${dayBefore} and c.hour <= ${hour}
     where a.owner_id = ${ownerId} group by c.application_id`.execute(kysely)
  return rows
}
