import { defined } from '../base/defined.ts'
import type { Handle } from './database.ts'
import { type JsonRow, jsonRows } from './json-rows.ts'
import { isLeaseOver } from './lease-ends.ts'

/**
 * A queue in a table with the columns `due_at`, `lease`, `leased_until` and `tries`. A worker holds the lease of its row. Expired leases
 * have no effect, so rows of a dead process are leased again. Leases expire by the database's clock.
 */
export type DueWork<Row = unknown> = {
  readonly table: string
  /** Primary key, an integer. `id` by default. */
  readonly key?: string
  /** SQL condition of waiting rows `w`, as in the partial index. True by default. */
  readonly waiting?: string
  /** Further SQL condition for leasing. The claim's `values` begin at `$6`, or at `$8` with `isShared`. */
  readonly ready?: string
  /** Integer column. Rows of each value are a queue with its own capacity. By default there is one queue, 0. */
  readonly queue?: string
  /** Whether queues of one owner share a capacity, too. The claim must then have `shares`. */
  readonly isShared?: boolean
  /** Values to return for each leased row: name → SQL of a JSON value. */
  readonly columns: { readonly [Name in keyof Row]: string }
  /** Whether a lease counts as an attempt, so that work that kills its process ends eventually. */
  readonly countsLeases?: boolean
}

type Claim = {
  readonly now: Date
  readonly lease: string
  readonly leaseMilliseconds: number
  /** Maximum number of rows by queue. */
  readonly capacity: ReadonlyMap<number, number>
  readonly shares?: ReadonlyMap<number, Share>
  readonly values?: readonly unknown[]
}

export type Share = { readonly owner: number; readonly capacity: number }

/** Leases due rows, the longest due first. Concurrent calls lease different rows. */
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

function sharesOf(queues: readonly number[], shares: Claim['shares']): readonly [number[], number[]] {
  const found = queues.map((queue) => defined(shares?.get(queue)))
  return [found.map(({ owner }) => owner), found.map(({ capacity }) => capacity)]
}

/** Rows leased under a name. Functions ignore rows that another holder has leased since. */
export type Leased = { readonly lease: string; readonly keys: readonly number[] }

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
  /** New due time. Unchanged by default. */
  readonly dueAt?: Date
  /** Whether to undo the attempt that the lease counts as. */
  readonly isUncounted?: boolean
}

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

/** Returns when the next row of these queues is due, by the clock of its writer, or undefined if no row waits. */
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

const leaseEnd = (parameter: string) => `clock_timestamp() + ${leaseLength(parameter)}`
const leaseLength = (parameter: string) => `(${parameter}::float8 * interval '1 millisecond')`

/** With shares, the first rows of all queues of an owner come before the second rows. Locks only the chosen rows. */
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
