import { type AnyDatabase, run } from '../tables.ts'

/** What counts in long transactions go on to, after the slots that connections hold one each. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'create sequence counting_slots as smallint minvalue 1024 cycle')
}
