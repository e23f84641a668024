import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'

/** A change of a record, or of a whole table if it has no id. */
export type Change = {
  /** Consecutive, without gaps. */
  readonly position: number
  readonly table: string
  readonly recordId: number | null
  readonly operation: 'create' | 'update' | 'destroy' | 'table'
  readonly columns: readonly string[]
  readonly events: readonly string[]
  /** The actor, such as `user:12` or `application:3`; null if unknown. */
  readonly actor: string | null
  readonly at: Date
}

/** The end of the feed. Positions of different epochs are unrelated. */
export type FeedHead = { readonly epoch: string; readonly position: number }

export async function readHead(handle: Handle): Promise<FeedHead> {
  const { rows } = await sql<{
    epoch: string
    position: string
  }>`select epoch, position from feed_relay`.execute(handle.kysely)
  const [head] = rows
  if (!head) throw new Error('The table feed_relay has lost its row.')
  return { epoch: head.epoch, position: Number(head.position) }
}

export async function readFirstPosition(handle: Handle): Promise<number | undefined> {
  const { rows } = await sql<{ first: string | null }>`select min(position) as first from feed`.execute(handle.kysely)
  return rows[0]?.first == null ? undefined : Number(rows[0].first)
}

type Reading = {
  readonly limit: number
  readonly tables?: readonly string[]
  readonly upTo?: number
}

export async function readFeed(
  handle: Handle,
  after: number,
  { limit, tables, upTo }: Reading,
): Promise<readonly Change[]> {
  const narrowed = tables ? sql`and relation = any(${tables})` : sql``
  const bounded = upTo === undefined ? sql`` : sql`and position <= ${upTo}`
  const { rows } = await sql<Omit<Change, 'position'> & { readonly position: string }>`
    select position, relation as "table", record_id as "recordId", operation, coalesce(columns, '{}') as columns,
      coalesce(events, '{}') as events, actor, changed_at as at
    from feed where position > ${after} ${bounded} ${narrowed} order by position limit ${limit}`.execute(handle.kysely)
  return rows.map((row) => ({ ...row, position: Number(row.position) }))
}

export async function countMissed(
  handle: Handle,
  after: number,
  tables: readonly string[],
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*) from (
    select from feed where position > ${after} and relation = any(${tables}) limit ${most}) missed`.execute(
    handle.kysely,
  )
  return Number(rows[0]?.count)
}
