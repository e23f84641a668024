import { type AnyDatabase, run } from '../tables.ts'

/** Whether an application can keep a secret: one that runs on people's own machines cannot (RFC 6749 §2.1). */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table applications add column if not exists confidential boolean not null default true')
  await run(db, 'create index if not exists applications_owner_id_idx on applications (owner_id)')
}
