import { generate, PostgresDialect, RawExpressionNode } from 'kysely-codegen'
import { testDatabase } from './database.ts'

export const SCHEMA_FILE = new URL('../../src/database/schema.ts', import.meta.url)

/** Columns that say more to us than to the database. */
const COLUMNS: Readonly<Record<string, string>> = {
  // JSON that we write as text; what is read back has the shape in which it was written.
  'audit_events.details': 'ColumnType<Readonly<Record<string, string>>, string, never>',
  'deliveries.attempts':
    'Generated<readonly { at: string; status: number | null; error: string | null; milliseconds: number }[]>',
  'deliveries.record': 'unknown',
  'idempotency_keys.headers': 'ColumnType<Record<string, string>, string, string>',
  // Written by the database.
  'applications.suspended_at': 'ColumnType<Date | null, never, never>',
  'attachments.base_id': 'ColumnType<number, never, never>',
}

/** The types of all tables, read from a database that was migrated just now. */
export async function tableTypes(): Promise<string> {
  const database = await testDatabase()
  try {
    return await generate({
      db: database.kysely,
      dialect: new PostgresDialect(),
      excludePattern: 'kysely_*',
      // As nodes: texts are parsed with an interface that TypeScript 7 no longer has.
      overrides: { columns: mapped(COLUMNS) },
      typeOnlyImports: true,
    })
  } finally {
    await database.close()
  }
}

const mapped = (columns: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, type]) => [name, new RawExpressionNode(type)]))
