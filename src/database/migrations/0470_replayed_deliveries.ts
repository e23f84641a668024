import { type AnyDatabase, run } from '../tables.ts'

/** A delivery that was replayed waits since then, not since its event. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table deliveries add replayed_at timestamptz(3)')
}
