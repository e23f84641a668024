import { type AnyDatabase, createTable, run } from '../tables.ts'

/**
 * How a process knows a schema that is newer than it is: which migrations do not keep former releases from serving, and the release that
 * has written functions, triggers and indexes last.
 */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'compatible_migrations', 'name text primary key')
  await createTable(db, 'schema_release', 'id integer primary key default 1 check (id = 1), version text not null')
  await run(db, "insert into schema_release (version) values ('0.0.0')")
}
