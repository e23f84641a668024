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
  const large = db.isTransaction ? new Set() : await largeTables(db)
  const [later, now] = partition([...indexes], ([, madeOn]) => large.has(tableOf(madeOn)))
  if (now.length > 0)
    await withShortLocks(db, async (tx) => {
      for (const [name, madeOn] of now)
        await sql`create index if not exists ${sql.id(name)} on ${sql.raw(madeOn)}`.execute(tx)
    })
  for (const [name, madeOn] of later) await createConcurrently(db, name, madeOn)
}

/** Drops indexes without waiting for those who read by them, but in a transaction. */
export async function dropIndexes(db: AnyDatabase, names: readonly string[]): Promise<void> {
  const how = sql.raw(db.isTransaction ? '' : 'concurrently')
  for (const name of names) await sql`drop index ${how} if exists ${sql.id(name)}`.execute(db)
}

/** One whose creation was broken off is there, is written to and serves nobody. */
async function createConcurrently(db: AnyDatabase, name: string, madeOn: string): Promise<void> {
  const { rows } = await sql`
    select from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname = ${name} and c.relnamespace = 'public'::regnamespace and not i.indisvalid`.execute(db)
  if (rows.length > 0) await dropIndexes(db, [name])
  await sql`create index concurrently if not exists ${sql.id(name)} on ${sql.raw(madeOn)}`.execute(db)
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

function partition<T>(all: readonly T[], test: (one: T) => boolean): readonly [T[], T[]] {
  return [all.filter(test), all.filter((one) => !test(one))]
}
