/** Writes the types of all tables, from the migrations, unless they are there. `npm ci` runs it in a checkout. */
import { readFile, writeFile } from 'node:fs/promises'
import { COLUMN_TYPES, tablesOfMigrations } from './table-types.ts'

const codegen = await import('kysely-codegen').catch(() => undefined)
if (!codegen) {
  console.log(
    'kysely-codegen is not installed (npm ci --omit=dev), so there are no types of tables, which nothing needs to run.',
  )
  process.exit()
}

const { DatabaseMetadata, PostgresDialect, RawExpressionNode, serializeFromMetadata } = codegen
const overrides = Object.entries(COLUMN_TYPES).map(([name, type]) => [name, new RawExpressionNode(type)])
const types = serializeFromMetadata({
  dialect: new PostgresDialect(),
  metadata: new DatabaseMetadata({
    tables: (await tablesOfMigrations()).map(({ name, columns }) => ({
      name,
      columns: [...columns],
      schema: 'public',
    })),
  }),
  overrides: { columns: Object.fromEntries(overrides) },
  typeOnlyImports: true,
})
const file = new URL('../src/database/schema.ts', import.meta.url)
if ((await readFile(file, 'utf8').catch(() => '')) !== types) await writeFile(file, types)
