import { type AnyDatabase, createTable, run } from '../tables.ts'

/** How often something that may be guessed was tried, by a digest of what is tried and of who tries. */
export async function up(db: AnyDatabase): Promise<void> {
  await createTable(db, 'attempts', 'digest bytea primary key, count integer not null, ends_at timestamptz(3) not null')
  await run(db, 'create index on attempts (ends_at)')
}
