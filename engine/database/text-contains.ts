import { type RawBuilder, type SqlBool, sql } from 'kysely'

export function textContains(text: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
  const tests = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`)
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
}
