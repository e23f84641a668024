import { type Kysely, sql } from 'kysely'
import { LIST_INDEXES } from './list-indexes.ts'
import { isOfNewerRelease, noteRelease } from './schema-release.ts'
import { findSearchIndexes, SEARCH_PREFIX } from './search-indexes.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from './tables.ts'

/** Any number, for the lock under which servers that start together do this one after another. */
const INDEXES_LOCK = 4202
/** What their names begin with. */
export const PREFIX = 'list_'

/**
 * Creates the indexes that lists need and the database lacks, and drops those that they needed once. Others, made by
 * migrations or by hand, stay as they are. Gives the names of those that it created.
 */
export async function applyIndexes<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  const db = anyDatabase(kysely)
  // Mostly nothing differs, which needs no lock to be seen.
  const { missing, unneeded } = await compareIndexes(db)
  if (missing.size + unneeded.length === 0) return []
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${INDEXES_LOCK})`.execute(tx)
    if (await isOfNewerRelease(tx)) return []
    await noteRelease(tx)
    const { missing, unneeded } = await compareIndexes(tx)
    for (const name of unneeded) await sql`drop index ${sql.id(name)}`.execute(tx)
    for (const [name, made] of missing) await sql`create index ${sql.id(name)} on ${sql.raw(made)}`.execute(tx)
    return [...missing.keys()]
  })
}

async function compareIndexes(db: AnyDatabase) {
  const listed = LIST_INDEXES.map((index) => [indexName(index), `"${index[0]}" (${index[1].join(', ')})`] as const)
  const needed = new Map([...listed, ...(await findSearchIndexes(db))])
  const found = await findIndexes(db)
  const unneeded = found.filter((name) => !needed.has(name))
  for (const name of found) needed.delete(name)
  return { missing: needed, unneeded }
}

async function findIndexes(db: AnyDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = 'public' and (starts_with(indexname, ${PREFIX}) or starts_with(indexname, ${SEARCH_PREFIX}))
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** Says all that the index is, so that one of this name is this one. */
export const indexName = ([table, columns]: (typeof LIST_INDEXES)[number]): string =>
  `${PREFIX}${table}_${columns.join(' ').match(/\w+/g)?.join('_')}`
