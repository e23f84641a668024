import { type AnyDatabase, run } from '../tables.ts'

/** Two people's logins differ by more than capitals, as addresses do: the service takes those for the same (`fold.ts`). */
export async function up(db: AnyDatabase): Promise<void> {
  await run(db, 'create unique index users_same_login_key on users (lower(login))')
}
