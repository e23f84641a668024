import { sql } from 'kysely'
import { withShortLocks } from './short-locks.ts'
import type { AnyDatabase } from './tables.ts'

/** By name, what each index is on: `"users" (login)`. */
export type Indexes = ReadonlyMap<string, string>

/** Of a table: one that has no more is read within a moment. */
export const SMALL_BYTES = 16 * 1024 * 1024

/**
 * Creates indexes beside a service that writes: those of small tables at once, which writers wait for, and those of large ones
 * concurrently. In a transaction all are created at once.
 */
export async function createIndexes(db: AnyDatabase, indexes: Indexes): Promise<void> {
  if (indexes.size === 0) return
  await dropIndexes(db, await findBroken(db, [...indexes.keys()]))
  const large = db.isTransaction ? new Set() : await largeTables(db)
  const isLarge = ([, madeOn]: readonly [string, string]) => large.has(tableOf(madeOn))
  const create = (one: AnyDatabase, how: string, [name, madeOn]: readonly [string, string]) =>
    sql`create index ${sql.raw(how)} if not exists ${sql.id(name)} on ${sql.raw(madeOn)}`.execute(one)
  const all = [...indexes]
  await withShortLocks(db, async (tx) => {
    for (const one of all.filter((index) => !isLarge(index))) await create(tx, '', one)
  })
  for (const one of all.filter(isLarge)) await create(db, 'concurrently', one)
}

/** Drops indexes without waiting for those who read by them, but in a transaction. */
export async function dropIndexes(db: AnyDatabase, names: readonly string[]): Promise<void> {
  const how = sql.raw(db.isTransaction ? '' : 'concurrently')
  for (const name of names) await sql`drop index ${how} if exists ${sql.id(name)}`.execute(db)
}

/** Those whose creation was broken off: they are there, are written to and serve nobody. */
async function findBroken(db: AnyDatabase, names: readonly string[]): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = any(${names}) and c.relnamespace = 'public'::regnamespace and not i.indisvalid`.execute(db)
  return rows.map(({ name }) => name)
}

async function largeTables(db: AnyDatabase): Promise<ReadonlySet<unknown>> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and pg_table_size(oid) > ${SMALL_BYTES}`.execute(
    db,
  )
  return new Set(rows.map(({ name }) => name))
}

/** The table that an index is on. */
export const tableOf = (madeOn: string): string => /\w+/.exec(madeOn)?.[0] ?? ''
