import { readFileSync } from 'node:fs'
import type { Handle } from '@campus/engine/database/handle'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'

/** The migrations that the baseline replaces. */
export const FORMER_MIGRATIONS: readonly string[] = readFileSync('test/fixtures/former-migrations.txt', 'utf8')
  .trim()
  .split('\n')

/** Has a migrated database name the former migrations in place of the baseline, but for the last `without`. */
export async function standAsFormer(rows: Handle['rows'], { without = 0 } = {}): Promise<void> {
  await rows(`delete from kysely_migration where name <= $1`, [SCHOOL_MIGRATIONS.squashed.last])
  const names = FORMER_MIGRATIONS.slice(0, FORMER_MIGRATIONS.length - without)
  await rows(
    `insert into kysely_migration (name, timestamp)
     select name, '2026-01-01T00:00:' || to_char(at % 60, 'FM00') || 'Z' from unnest($1::text[]) with ordinality as given (name, at)`,
    [names],
  )
}
