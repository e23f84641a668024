import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ListIndex } from './declared-storage.ts'
import { functionText } from './functions/definitions.ts'
import { SEARCHED_TEXT } from './functions/searched-text.ts'
import type { AnyDatabase } from './tables.ts'

/** What the names of indexes for searches begin with. */
export const SEARCH_PREFIX = 'search_'
const DIGITS = 8

/**
 * The indexes that find words within texts: by name, what each is on. They need the extension pg_trgm, which comes with PostgreSQL and
 * is created here where it is not there yet; where it may not be there are none, and searches read the whole table.
 */
export async function findSearchIndexes(
  db: AnyDatabase,
  searches: readonly ListIndex[],
): Promise<readonly (readonly [name: string, madeOn: string])[]> {
  const schema = (await findSchema(db)) ?? (await createExtension(db))
  if (schema === undefined) return []
  return searches.map(({ table, columns }) => {
    const texts = columns.map((column) => `searched_text("${column}") "${schema}".gin_trgm_ops`)
    const madeOn = `"${table}" using gin (${texts.join(', ')})`
    return [`${SEARCH_PREFIX}${table}_${digest(madeOn)}`, madeOn]
  })
}

/** Where the extension is; undefined where it is not. */
async function findSchema(db: AnyDatabase): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema from pg_extension e join pg_namespace n on n.oid = extnamespace where extname = 'pg_trgm'
  `.execute(db)
  return rows[0]?.schema
}

/** A server may lack it, or refuse it to us. */
async function createExtension(db: AnyDatabase): Promise<string | undefined> {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
    exception when others then null;
    end $$
  `.execute(db)
  return findSchema(db)
}

/** An index holds what the function has given: with another text of it, it is another one. */
const digest = (madeOn: string) =>
  createHash('sha256')
    .update(`${functionText(SEARCHED_TEXT)}\n${madeOn}`)
    .digest('hex')
    .slice(0, DIGITS)
