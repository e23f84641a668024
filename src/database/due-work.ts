import type { Handle, TextRow } from './database.ts'

/**
 * Work that waits in a table, as rows with the columns `due_at`, `leased_until` and `lease`. A row is taken by leasing it
 * and stays its holder's until the lease ends; of a process that dies in between, another takes the row up then.
 */
export type DueWork = {
  readonly table: string
  /** What is true of rows that wait, in SQL on the row `w`, as the index says it that finds them. */
  readonly waiting: string
  /** What must be true beside before a row is taken. `$6` is the first of the claim's `values`. */
  readonly ready?: string
  /** A column of integers: the rows of each value are taken within a room of their own. Without it there is one queue, 0. */
  readonly queue?: string
  /** What is read of each row that is taken, in SQL. */
  readonly columns: readonly string[]
}

type Claim = {
  readonly now: Date
  /** Names the holder; whatever it later writes to the row should ask for it, since the lease may have ended. */
  readonly lease: string
  readonly leasedUntil: Date
  /** How many rows may be taken, by queue. */
  readonly room: ReadonlyMap<number, number>
  readonly values?: readonly unknown[]
}

/** Takes due rows, the longest due first. Any number of processes may do so at the same time: none gets what another has. */
export function claimDue(handle: Handle, work: DueWork, claim: Claim): Promise<TextRow[]> {
  const { now, lease, leasedUntil, room, values = [] } = claim
  return handle.rows(claimStatement(work), [
    [...room.keys()],
    [...room.values()],
    now.toISOString(),
    lease,
    leasedUntil.toISOString(),
    ...values,
  ])
}

const claimStatement = ({ table, waiting, ready = 'true', queue, columns }: DueWork) => `
  with taken as (
    select found.id from unnest($1::int[], $2::int[]) queues (queue, room) cross join lateral (
      select w.id from ${table} w
      where ${queue ? `w.${queue} = queues.queue and` : ''} ${waiting} and w.due_at <= $3::timestamptz
        and (w.leased_until is null or w.leased_until <= $3::timestamptz) and (${ready})
      order by w.due_at, w.id limit queues.room for update skip locked
    ) found
  )
  update ${table} w set lease = $4, leased_until = $5::timestamptz from taken where w.id = taken.id
  returning ${columns.join(', ')}`

/** When the next row of these queues will be due, as the clock of its maker counts; undefined when none is waiting. */
export async function nextDueAt(handle: Handle, work: DueWork, queues: readonly number[]): Promise<Date | undefined> {
  const within = work.queue ? `w.${work.queue} = queues.queue and` : ''
  const [row] = await handle.rows(
    `select (extract(epoch from min(first.due_at)) * 1000)::bigint from unnest($1::int[]) queues (queue) cross join lateral (
       select greatest(w.due_at, w.leased_until) due_at from ${work.table} w
       where ${within} ${work.waiting} and w.due_at is not null order by w.due_at limit 1
     ) first`,
    [queues],
  )
  return row?.[0] ? new Date(Number(row[0])) : undefined
}
