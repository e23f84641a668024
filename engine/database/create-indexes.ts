import { sql } from 'kysely'
import { withShortLocks } from './short-locks.ts'
import type { AnyDatabase } from './tables.ts'

/** Indexes by name, each with its table and columns: `"users" (login)`. */
export type Indexes = ReadonlyMap<string, string>

/** Maximum size of a small table. An index of a small table is created so fast that writers may wait for it. */
export const SMALL_BYTES = 16 * 1024 * 1024

/**
 * Creates indexes. Writers of small tables wait meanwhile; indexes of large tables are created concurrently. In a
 * transaction, no index is created concurrently.
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

export async function dropIndexes(db: AnyDatabase, names: readonly string[]): Promise<void> {
  const how = sql.raw(db.isTransaction ? '' : 'concurrently')
  for (const name of names) await sql`drop index ${how} if exists ${sql.id(name)}`.execute(db)
}

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

export const tableOf = (madeOn: string): string => /\w+/.exec(madeOn)?.[0] ?? ''
