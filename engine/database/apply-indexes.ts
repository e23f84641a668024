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

const INDEXES_LOCK = 4202
export const PREFIX = 'list_'

type Needed = Pick<DeclaredStorage, 'indexes' | 'searches'>

/**
 * Creates missing indexes of lists beside a running service, and drops those that are not needed any more if `contracts`, since former
 * releases may use them. Keeps other indexes, and creates none that another index serves as. Returns the created names.
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
  // The usual case, in which nothing differs, needs no lock.
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

/** SQLSTATE codes of tables and columns that do not exist. */
const UNDEFINED: readonly unknown[] = ['42P01', '42703']

const undeclared = (error: unknown) =>
  new Error(
    `A resource declares what no migration has created: ${toError(error).message}. Add it to a migration, and run the migrations.`,
    { cause: error },
  )

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

function indexName({ table, columns }: ListIndex): string {
  const name = `${PREFIX}${table}_${columns.join(' ').match(/\w+/g)?.join('_')}`
  if (name.length > MAX_NAME) throw new Error(`The index ${name} needs a shorter name`)
  return name
}

const MAX_NAME = 63

/** Quotes column names, which may be reserved words. */
const quoted = (column: string) => column.replace(/^(?!\w+\()\w+|(?<=^\w+\()\w+/, '"$&"')
