import { type RawBuilder, type SqlBool, sql } from 'kysely'

/** Whether one of the columns holds the text, capitals or not; what the text means to `like` is taken literally. */
export function textContains(text: string, columns: readonly string[]): RawBuilder<SqlBool> {
  const pattern = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`
  const tests = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`)
  return sql<SqlBool>`(${sql.join(tests, sql` or `)})`
}
