import { type AnyDatabase, run } from '../tables.ts'

/** A mail is leased while it is sent, as all work that waits in a table. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table mails add lease uuid, add leased_until timestamptz(3)')
}
