import { type AnyDatabase, run } from '../tables.ts'

/** Whether the answers to an application's authorization requests say who gives them (RFC 9207). */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'alter table applications add column authorization_response_iss boolean not null default false')
}
