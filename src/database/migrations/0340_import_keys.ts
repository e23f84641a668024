import { type AnyDatabase, createTable } from '../tables.ts'

/** Under which key of another service a record was imported, and where it was last seen: the run of the import, and the line. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(
    db,
    'import_keys',
    `resource text not null, key text not null, record_id integer not null, run uuid not null, line integer not null,
     primary key (resource, key)`,
  )
}
