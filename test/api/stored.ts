import { sql } from 'kysely'
import type { Database } from '../../src/database/database.ts'

const known = new WeakMap<Database, string[]>()

/** Asked once of a database: migrations have run before any test. */
async function tableNames(database: Database): Promise<string[]> {
  const names = known.get(database) ?? (await database.kysely.introspection.getTables()).map(({ name }) => name)
  known.set(database, names)
  return names
}

/** Every row of every table, as text. */
export async function everythingStored(database: Database): Promise<string> {
  const texts: string[] = []
  for (const table of await tableNames(database)) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(table)} t`.execute(
      database.kysely,
    )
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** How many rows each table has. */
export async function rowCounts(database: Database): Promise<Record<string, number>> {
  const counts = (await tableNames(database)).map((name) => `select '${name}', count(*) from "${name}"`)
  const rows = await database.rows(counts.join(' union all '))
  return Object.fromEntries(rows.map(([name, count]) => [name, Number(count)]))
}
