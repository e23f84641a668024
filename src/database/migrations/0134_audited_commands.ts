import { type AnyDatabase, run } from '../tables.ts'

/** What was done on the command line says so, and by which command. Of older rows nobody knows. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table audit_events add column command text collate "C"')
}
