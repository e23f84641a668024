import { sql } from 'kysely'
import type { Handle } from './database.ts'

export async function rowEquals(
  tx: Handle,
  table: string,
  id: number,
  columns: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const tests = Object.entries(columns).map(([name, value]) => sql`${sql.ref(name)} is not distinct from ${value}`)
  if (tests.length === 0) return true
  const { rows } = await sql<{ holds: boolean }>`
    select ${sql.join(tests, sql` and `)} as holds from ${sql.table(table)} where id = ${id}`.execute(tx.kysely)
  return rows[0]?.holds ?? false
}
