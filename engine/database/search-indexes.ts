import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { ListIndex } from './declared-storage.ts'
import { functionText } from './functions/definitions.ts'
import { SEARCHED_TEXT } from './functions/searched-text.ts'
import type { AnyDatabase } from './tables.ts'

export const SEARCH_PREFIX = 'search_'
const DIGITS = 8

/**
 * Returns indexes that find words in texts, as pairs of a name and its table and columns. `schema` is that of the extension pg_trgm,
 * which is created if it is null. Returns no indexes if the server lacks or refuses the extension. Searches then scan the table.
 */
export async function findSearchIndexes(
  db: AnyDatabase,
  searches: readonly ListIndex[],
  schema: string | null,
): Promise<readonly (readonly [name: string, madeOn: string])[]> {
  const operators = schema ?? (await createExtension(db))
  if (operators === null) return []
  return searches.map(({ table, columns }) => {
    const texts = columns.map((column) => `searched_text("${column}") "${operators}".gin_trgm_ops`)
    const madeOn = `"${table}" using gin (${texts.join(', ')})`
    return [`${SEARCH_PREFIX}${table}_${digest(madeOn)}`, madeOn]
  })
}

export const TRIGRAM_SCHEMA =
  "(select nspname from pg_extension e join pg_namespace n on n.oid = extnamespace where extname = 'pg_trgm')"

async function createExtension(db: AnyDatabase): Promise<string | null> {
  await sql`
    do $$ begin
      create extension if not exists pg_trgm;
    exception when others then null;
    end $$
  `.execute(db)
  const { rows } = await sql<{ schema: string | null }>`select ${sql.raw(TRIGRAM_SCHEMA)} as schema`.execute(db)
  return rows[0]?.schema ?? null
}

/**
 * Returns the digest for the name of an index. It covers the function, since the index stores the results of the
 * function.
 */
const digest = (madeOn: string) =>
  createHash('sha256')
    .update(`${functionText(SEARCHED_TEXT)}\n${madeOn}`)
    .digest('hex')
    .slice(0, DIGITS)
