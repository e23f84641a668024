import { type Kysely, sql } from 'kysely'
import type { DeclaredStorage, ListIndex } from './declared-storage.ts'
import { findIndexes, serves } from './find-indexes.ts'
import { isOfNewerRelease, noteRelease } from './schema-release.ts'
import { findSearchIndexes, SEARCH_PREFIX } from './search-indexes.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from './tables.ts'

/** Any number, for the lock under which servers that start together do this one after another. */
const INDEXES_LOCK = 4202
/** What their names begin with. */
export const PREFIX = 'list_'

type Needed = Pick<DeclaredStorage, 'indexes' | 'searches'>

/**
 * Creates the indexes that lists need and the database lacks, and drops those that they needed once. Others, made by
 * migrations or by hand, stay as they are, and none is created that does what one of these does. Gives the names of those
 * that it created.
 */
export async function applyIndexes<T>(kysely: Kysely<T>, needed: Needed): Promise<readonly string[]> {
  const db = anyDatabase(kysely)
  // Mostly nothing differs, which needs no lock to be seen.
  const { missing, unneeded } = await compareIndexes(db, needed)
  if (missing.size + unneeded.length === 0) return []
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${INDEXES_LOCK})`.execute(tx)
    if (await isOfNewerRelease(tx)) return []
    await noteRelease(tx)
    const { missing, unneeded } = await compareIndexes(tx, needed)
    for (const name of unneeded) await sql`drop index ${sql.id(name)}`.execute(tx)
    for (const [name, made] of missing) await sql`create index ${sql.id(name)} on ${sql.raw(made)}`.execute(tx)
    return [...missing.keys()]
  })
}

async function compareIndexes(db: AnyDatabase, { indexes, searches }: Needed) {
  const others = (await findIndexes(db)).filter(({ name }) => !name.startsWith(PREFIX))
  const listed = indexes
    .filter((index) => !others.some((found) => serves(found, index)))
    .map((index) => [indexName(index), `"${index.table}" (${index.columns.map(quoted).join(', ')})`] as const)
  const missing = new Map([...listed, ...(await findSearchIndexes(db, searches))])
  const found = await findMade(db)
  const unneeded = found.filter((name) => !missing.has(name))
  for (const name of found) missing.delete(name)
  return { missing, unneeded }
}

/** The names of all that were made so. */
async function findMade(db: AnyDatabase): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select indexname as name from pg_indexes
    where schemaname = 'public' and (starts_with(indexname, ${PREFIX}) or starts_with(indexname, ${SEARCH_PREFIX}))
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** Says all that the index is, so that one of this name is this one. Throws where PostgreSQL would cut it. */
export function indexName({ table, columns }: ListIndex): string {
  const name = `${PREFIX}${table}_${columns.join(' ').match(/\w+/g)?.join('_')}`
  if (name.length > MAX_NAME) throw new Error(`The index ${name} needs a shorter name`)
  return name
}

const MAX_NAME = 63

/** Some columns have names that SQL has a use for. */
const quoted = (column: string) => column.replace(/^(?!\w+\()\w+|(?<=^\w+\()\w+/, '"$&"')
