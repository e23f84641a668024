import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'
import { type JsonRow, jsonRows } from './json-rows.ts'
import { isLeaseOver } from './lease-ends.ts'

/**
 * A queue in a table, whose rows have the columns `due_at`, `lease`, `leased_until` and `tries`. A worker holds the
 * lease of its row. An expired lease has no effect: rows of a process that died are leased again, without other repair.
 * Leases expire by the clock of the database, so that a machine whose clock is ahead takes no lease of another.
 */
export type DueWork<Row = unknown> = {
  readonly table: string
  /** The primary key, an integer; `id` unless said. */
  readonly key?: string
  /** SQL condition of waiting rows on the row `w`, written as in the partial index; true by default. */
  readonly waiting?: string
  /** Further condition for leasing a row, in SQL. The claim's `values` begin at `$6`, or at `$8` with `isShared`. */
  readonly ready?: string
  /** A column of integers. The rows of each value are a queue with its own capacity. Without a column there is one queue, 0. */
  readonly queue?: string
  /** Whether the queues of one owner share a capacity, besides the capacity of each queue. The claim then has `shares`. */
  readonly isShared?: boolean
  /** Values to read from each leased row: name → SQL whose value can be JSON. */
  readonly columns: { readonly [Name in keyof Row]: string }
  /** Whether a lease counts as an attempt, so that work that kills its process comes to an end. */
  readonly countsLeases?: boolean
}

type Claim = {
  readonly now: Date
  /** Names the holder. */
  readonly lease: string
  /** How long the leases last. */
  readonly leaseMilliseconds: number
  /** How many rows of each queue may be leased. */
  readonly capacity: ReadonlyMap<number, number>
  /** The owner of each queue in `capacity`, and how many rows may be leased for all queues of that owner. */
  readonly shares?: ReadonlyMap<number, Share>
  readonly values?: readonly unknown[]
}

export type Share = { readonly owner: number; readonly capacity: number }

/** Leases due rows, the longest due first. Any number of processes may do so at the same time: each row goes to one of them. */
export function leaseDue<Row>(handle: Handle, work: DueWork<Row>, claim: Claim): Promise<JsonRow<Row>[]> {
  const { now, lease, leaseMilliseconds, capacity, shares, values = [] } = claim
  return jsonRows<Row>(handle, leaseStatement(work), [
    [...capacity.keys()],
    [...capacity.values()],
    now.toISOString(),
    lease,
    leaseMilliseconds,
    ...(work.isShared ? sharesOf([...capacity.keys()], shares) : []),
    ...values,
  ])
}

/** The owners of the queues, and the capacity of each owner. */
function sharesOf(queues: readonly number[], shares: Claim['shares']): readonly [number[], number[]] {
  const found = queues.map((queue) => defined(shares?.get(queue)))
  return [found.map(({ owner }) => owner), found.map(({ capacity }) => capacity)]
}

/** Rows of which this process holds, or held, the lease. Where it has ended and another holds it, nothing is changed. */
export type Leased = { readonly lease: string; readonly keys: readonly number[] }

/** The heartbeat of a holder: its leases last for this long from now on. */
export async function extendLeases(
  handle: Handle,
  { table, key = 'id' }: DueWork,
  { lease, keys }: Leased,
  milliseconds: number,
): Promise<void> {
  await handle.rows(
    `update ${table} set leased_until = ${leaseEnd('$1')} where ${key} = any($2::int[]) and lease = $3`,
    [milliseconds, keys, lease],
  )
}

type Release = {
  /** New due time of the rows. Default: unchanged. */
  readonly dueAt?: Date
  /** Whether the attempt that a lease counts as is taken back. */
  readonly isUncounted?: boolean
}

/** Releases leases, so that any worker may lease the rows. */
export async function releaseLeases(
  handle: Handle,
  { table, key = 'id' }: DueWork,
  { lease, keys }: Leased,
  { dueAt, isUncounted = false }: Release = {},
): Promise<void> {
  await handle.rows(
    `update ${table} set lease = null, leased_until = null, due_at = coalesce($3::timestamptz, due_at), tries = tries - $4::int
     where ${key} = any($1::int[]) and lease = $2`,
    [keys, lease, dueAt?.toISOString() ?? null, isUncounted ? 1 : 0],
  )
}

/** Returns when the next row of these queues is due, by the clock of the process that wrote the row; undefined if no row waits. */
export async function nextDueAt(handle: Handle, work: DueWork, queues: readonly number[]): Promise<Date | undefined> {
  const { table, waiting = 'true', queue } = work
  const within = queue ? `w.${queue} = queues.queue and` : ''
  const [row] = await handle.rows(
    `select (extract(epoch from min(first.due_at)) * 1000)::bigint from unnest($1::int[]) queues (queue) cross join lateral (
       select greatest(w.due_at, w.leased_until) due_at from ${table} w
       where ${within} ${waiting} and w.due_at is not null order by w.due_at limit 1
     ) first`,
    [queues],
  )
  return row?.[0] ? new Date(Number(row[0])) : undefined
}

/** SQL for the end of a lease that begins now and lasts for the milliseconds in the parameter. */
const leaseEnd = (parameter: string) => `clock_timestamp() + ${leaseLength(parameter)}`
const leaseLength = (parameter: string) => `(${parameter}::float8 * interval '1 millisecond')`

/**
 * With shares, the first rows of all queues of an owner come before the second rows, so that no queue uses up its owner's share.
 * Only the chosen rows are locked, so other processes can lease the rest.
 */
function leaseStatement(work: DueWork): string {
  const { table, key = 'id', waiting = 'true', ready = 'true', queue, isShared, columns, countsLeases } = work
  const isDue = `${waiting} and w.due_at <= $3::timestamptz
        and ${isLeaseOver('w.leased_until', leaseLength('$5'))} and (${ready})`
  const rowsOfQueue = `from ${table} w where ${queue ? `w.${queue} = queues.queue and` : ''} ${isDue}`
  const firstRows = (limit: string) =>
    `select w.${key} as key, w.due_at ${rowsOfQueue} order by w.due_at, w.${key} limit ${limit}`
  const found = isShared
    ? `select chosen.key from (
        select key, share, row_number() over (partition by owner order by queue_rank, due_at, key) as owner_rank from (
          select queues.owner, queues.share, due.key, due.due_at,
            row_number() over (partition by queues.queue order by due.due_at, due.key) as queue_rank
          from (
            select *, ceil(share::float8 / count(*) over (partition by owner))::int as queue_share
            from unnest($1::int[], $2::int[], $6::int[], $7::int[]) queues (queue, capacity, owner, share)
            where exists (select ${rowsOfQueue})
          ) queues
          cross join lateral (${firstRows('least(queues.capacity, queues.queue_share)')}) due
        ) ranked
      ) chosen cross join lateral (
        select from ${table} w where w.${key} = chosen.key and ${isDue} for update skip locked
      ) locked where chosen.owner_rank <= chosen.share`
    : `select next.key from unnest($1::int[], $2::int[]) queues (queue, capacity) cross join lateral (
      ${firstRows('queues.capacity')} for update skip locked
    ) next`
  return `
  with found as (${found})
  update ${table} w set lease = $4, leased_until = ${leaseEnd('$5')}${countsLeases ? ', tries = w.tries + 1' : ''}
  from found where w.${key} = found.key
  returning json_build_object(${Object.entries(columns).map(([name, value]) => `'${name}', ${value}`)})`
}
