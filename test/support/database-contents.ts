import type { Database } from '@campus/engine/database/database'
import { sql } from 'kysely'

const known = new WeakMap<Database, string[]>()

/** Asked once of a database: migrations have run before any test. */
async function tableNames(database: Database): Promise<string[]> {
  const names =
    known.get(database) ??
    (await database.kysely.introspection.getTables()).filter(({ isView }) => !isView).map(({ name }) => name)
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

/** Written in the background, whatever is asked. */
const COUNTED_ASIDE = [
  ...['table_changes', 'count_changes', 'compacted_counts'],
  ...['application_calls', 'application_route_calls', 'application_refusals', 'sealing_keys', 'endpoint_failures'],
]

/** How many rows each table has, but for what is counted aside. */
export async function rowCounts(database: Database): Promise<Record<string, number>> {
  const names = (await tableNames(database)).filter((name) => !COUNTED_ASIDE.includes(name))
  const counts = names.map((name) => `select '${name}', count(*) from "${name}"`)
  const rows = await database.rows(counts.join(' union all '))
  return Object.fromEntries(rows.map(([name, count]) => [name, Number(count)]))
}
