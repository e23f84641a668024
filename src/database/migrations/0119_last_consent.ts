import { type AnyDatabase, run } from '../tables.ts'

/** What a person allowed an application last, beside all that they have allowed it: asked for where nothing is named. */
export async function up(db: AnyDatabase): Promise<void> {
  await run(
    db,
    'alter table consents add column last_scopes text[]',
    'update consents set last_scopes = scopes',
    'alter table consents alter column last_scopes set not null',
  )
}
