import { type AnyDatabase, run } from '../tables.ts'

/** The log of a whole school is read from its end, also where one kind of event is looked for. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'create index on audit_events (kind, created_at)')
}
