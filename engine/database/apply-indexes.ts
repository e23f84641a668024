import { type Kysely, sql } from 'kysely'
import { codeOf, toError } from '../base/caught.ts'
import { defined } from '../base/defined.ts'
import { createIndexes, dropIndexes } from './create-indexes.ts'
import type { DeclaredStorage, ListIndex } from './declared-storage.ts'
import { findIndexes, serves } from './find-indexes.ts'
import { isOfNewerRelease, noteRelease } from './schema-release.ts'
import { findSearchIndexes, SEARCH_PREFIX, TRIGRAM_SCHEMA } from './search-indexes.ts'
import { whileAlone } from './short-locks.ts'
import { type AnyDatabase, anyDatabase } from './tables.ts'

/** Any number, for the lock under which servers that start together do this one after another. */
const INDEXES_LOCK = 4202
/** What their names begin with. */
export const PREFIX = 'list_'

type Needed = Pick<DeclaredStorage, 'indexes' | 'searches'>

/**
 * Creates the indexes that lists need and the database lacks, beside a service that runs, and drops those that they needed once where
 * `contracts`: a former release reads by them. Others, made by migrations or by hand, stay as they are, and none is created that does
 * what one of these does. Gives the names of those that it created.
 */
export async function applyIndexes<T>(
  kysely: Kysely<T>,
  needed: Needed,
  { contracts = async () => true } = {},
): Promise<readonly string[]> {
  const db = anyDatabase(kysely)
  const compare = async (one: AnyDatabase) => {
    const { missing, unneeded } = await compareIndexes(one, needed)
    return { missing, unneeded: unneeded.length > 0 && (await contracts()) ? unneeded : [] }
  }
  // Mostly nothing differs, which needs no lock to be seen.
  const { missing, unneeded } = await compare(db)
  if (missing.size + unneeded.length === 0) return []
  return whileAlone(db, INDEXES_LOCK, async (one) => {
    if (await isOfNewerRelease(one)) return []
    await noteRelease(one)
    const { missing, unneeded } = await compare(one)
    await createIndexes(one, missing).catch((error) => {
      throw UNDEFINED.includes(codeOf(error)) ? undeclared(error) : error
    })
    await dropIndexes(one, unneeded)
    return [...missing.keys()]
  })
}

/** PostgreSQL's error codes for a table and for a column that do not exist. */
const UNDEFINED: readonly unknown[] = ['42P01', '42703']

const undeclared = (error: unknown) =>
  new Error(`A resource declares what no migration has created: ${toError(error).message}.`, { cause: error })

/** What the database lacks of what lists need, and what no list needs any more. */
export async function compareIndexes(db: AnyDatabase, { indexes, searches }: Needed) {
  const others = (await findIndexes(db)).filter(({ name }) => !name.startsWith(PREFIX))
  const listed = indexes
    .filter((index) => !others.some((found) => serves(found, index)))
    .map((index) => [indexName(index), `"${index.table}" (${index.columns.map(quoted).join(', ')})`] as const)
  const { found, schema } = await findMade(db)
  const missing = new Map([...listed, ...(await findSearchIndexes(db, searches, schema))])
  const unneeded = found.filter((name) => !missing.has(name))
  for (const name of found) missing.delete(name)
  return { missing, unneeded }
}

/** Finds the names of valid indexes that this module made, and the schema of the extension pg_trgm. */
async function findMade(
  db: AnyDatabase,
): Promise<{ readonly found: readonly string[]; readonly schema: string | null }> {
  const { rows } = await sql<{ found: readonly string[]; schema: string | null }>`
    select array(
      select c.relname::text from pg_class c join pg_index i on i.indexrelid = c.oid
      where c.relnamespace = 'public'::regnamespace and i.indisvalid
        and (starts_with(c.relname, ${PREFIX}) or starts_with(c.relname, ${SEARCH_PREFIX}))
    ) as found, ${sql.raw(TRIGRAM_SCHEMA)} as schema
  `.execute(db)
  return defined(rows[0])
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
