import type { Database } from '@campus/engine/database/database'

/** So many times the rows that a demonstration school of sixty people has: more than half a million people. */
const TIMES = 10_000

/**
 * Lets the planner believe that these tables have grown with the school: each has so many times the rows, and as many for
 * each value of a column that refers to another of them as it has now. Nothing else of the database changes.
 */
export async function makeLarge(database: Pick<Database, 'rows'>, tables: readonly string[]): Promise<void> {
  const references = await database.rows(
    `select k.conrelid::regclass, a.attname from pg_constraint k
     join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
     where k.contype = 'f' and k.conrelid::regclass::text = any ($1::text[]) and k.confrelid::regclass::text = any ($1::text[])`,
    [tables],
  )
  for (const [table, column] of references) {
    const [counted] = await database.rows(
      `select -count(distinct "${column}")::float8 / greatest(count("${column}"), 1) from ${table}`,
    )
    await database.rows(
      `alter table ${table} alter column "${column}" set (n_distinct = ${Math.min(Number(counted?.[0]), -0.0001)})`,
    )
  }
  await database.rows('analyze')
  // A large share of sixty users' records is none of half a million's.
  for (const [table, column] of references) {
    await database.rows(
      `update pg_statistic set stakind1 = 0, stanumbers1 = null, stavalues1 = null where stakind1 = 1 and starelid = $1::regclass
         and staattnum = (select attnum from pg_attribute where attrelid = $1::regclass and attname = $2)`,
      [table, column],
    )
  }
  await database.rows(
    `update pg_class set reltuples = greatest(reltuples, 1) * ${TIMES}, relpages = greatest(relpages, 1)
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname = any ($1::text[])`,
    [tables],
  )
}
