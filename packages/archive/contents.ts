import type { Rows } from '@campus/engine/database/bulk-connection'
import { identifier, literal } from '@campus/engine/database/literal'
import type { ArchivedTable } from './format.ts'

/** Tables that are left out, with reasons. All other tables are archived, also those of other versions. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  captured_tables: 'made by those who subscribe',
  change_epoch: 'tells processes that run what to forget',
  change_log: 'on its way into the change feed',
  compatible_migrations: 'made by the migrations',
  count_changes: 'counts are made anew from the rows',
  feed: 'what was changed is over where the archive is restored',
  feed_relay: 'of one database: positions of another one mean nothing in it',
  first_administrator_links: 'of one installation, for a day; the next start of an empty one makes another',
  compacted_counts: 'counts are made anew from the rows',
  folded_counts: 'the same in a database that was not migrated yet',
  installation: 'of one installation, so that a copy does not delete the backups of the original',
  job_leases: 'says which running process does what',
  kysely_migration: 'the archive names the migrations',
  kysely_migration_lock: 'made by the migrations',
  logout_notices: 'of sessions that have ended, which are not what they were in a copy',
  mail_senders: 'says which running process sends mails',
  openid_sessions: 'of sessions, which a copy must not end at applications',
  replicated_epoch: 'of the servers of one database',
  restore_under_way: 'says that this database is being filled',
  schema_release: 'of the release that serves the database',
  sealed_secrets: 'go with changes that are on their way into the change feed',
  sealing_keys: 'of processes that run',
  table_changes: 'tells processes that run what to forget',
}

/** Tables that migrations fill. A database with only these rows is empty. */
const FILLED_BY_MIGRATIONS = ['feed_readers', 'flags', 'params', 'roles', 'rules']

/** `bytes` is the size on the disk. */
export type FoundTable = ArchivedTable & { readonly bytes: number }

/** Returns the tables to archive with their writable columns. */
export async function findTables(rows: Rows): Promise<readonly FoundTable[]> {
  const found = await rows(
    `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), pg_table_size(c.oid)
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition and c.relname <> all($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     order by c.relname, a.attnum`,
    [Object.keys(LEFT_OUT)],
  )
  const byTable = Map.groupBy(found, ([table]) => String(table))
  return [...byTable].map(([name, columns]) => ({
    name,
    columns: columns.map(([, column, type]) => ({ name: String(column), type: String(type) })),
    bytes: Number(columns[0]?.[3]),
  }))
}

/** Returns the last value of each sequence, and whether it was used. */
export async function findSequences(rows: Rows): Promise<Readonly<Record<string, readonly [string, boolean]>>> {
  const names = await rows(
    `select format('%I', relname) from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  if (names.length === 0) return {}
  const each = names.map(([name]) => `select ${literal(String(name))}, last_value, is_called from ${name}`)
  const found = await rows(each.join(' union all '))
  return Object.fromEntries(found.map(([name, value, isUsed]) => [name, [String(value), isUsed === 't']]))
}

/** Returns the migrations that the database has run. A new database has none. */
export async function findMigrations(rows: Rows): Promise<readonly string[]> {
  const [table] = await rows("select to_regclass('public.kysely_migration')")
  if (!table?.[0]) return []
  return (await rows('select name from kysely_migration order by name')).map(([name]) => String(name))
}

/** Returns a table with rows and their number, or undefined if the database is unused. */
export async function findSchool(rows: Rows): Promise<{ readonly table: string; readonly rows: number } | undefined> {
  // Users come first, since the message names the first table.
  const found = (await findTables(rows)).map(({ name }) => name)
  const names = found.toSorted((one, other) => Number(other === 'users') - Number(one === 'users'))
  for (const table of names) {
    if (FILLED_BY_MIGRATIONS.includes(table)) continue
    const [row] = await rows(`select count(*) from ${identifier(table)}`)
    if (Number(row?.[0]) > 0) return { table, rows: Number(row?.[0]) }
  }
  return undefined
}
