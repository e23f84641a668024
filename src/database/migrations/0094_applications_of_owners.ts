import { type AnyDatabase, run } from '../tables.ts'

/** People's own applications are looked up by their owner. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'create index on applications (owner_id)')
}
