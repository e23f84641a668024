import { migrationLoaders } from '@campus/engine/database/migrations'
import { SCHOOL_MIGRATIONS } from '@campus/intranet/school/resources/migrations'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'

/** A column in the format of kysely-codegen. */
type Column = {
  readonly name: string
  readonly dataType: string
  readonly isArray: boolean
  readonly isNullable: boolean
  readonly hasDefaultValue: boolean
}

type Tables = Map<string, Column[]>

/** Names of types in the catalogue of PostgreSQL, by their names in statements. */
const CATALOGUE_TYPES: Readonly<Record<string, string>> = {
  bigint: 'int8',
  boolean: 'bool',
  'double precision': 'float8',
  integer: 'int4',
  smallint: 'int2',
}

/** Types of columns whose values have a narrower type than in the database. */
export const COLUMN_TYPES: Readonly<Record<string, string>> = {
  // JSON that we write as text; what is read back has the shape in which it was written.
  'audit_events.details': 'ColumnType<Readonly<Record<string, string>>, string, never>',
  'deliveries.attempts':
    'Generated<readonly { at: string; status: number | null; error: string | null; milliseconds: number }[]>',
  'webhook_deliveries.attempts':
    'Generated<readonly { at: string; status: number | null; error: string | null; milliseconds: number }[]>',
  'deliveries.record': 'unknown',
  'idempotency_keys.headers': 'ColumnType<Record<string, string>, string, string>',
  // Set by the database.
  'applications.suspended_at': 'ColumnType<Date | null, never, never>',
  'attachments.base_id': 'ColumnType<number, never, never>',
}

/** Gives the types to the engine. */
export const AUGMENTATION = `
declare module '@campus/engine/database/tables' {
  interface Tables extends DB {}
}
`

/** Returns the types of all tables as a module, or undefined if kysely-codegen is not installed. */
export async function tableTypes(): Promise<string | undefined> {
  const codegen = await import('kysely-codegen').catch(() => undefined)
  if (!codegen) {
    console.error(
      'kysely-codegen is not installed (npm ci --omit=dev), so there are no types of tables. No process needs them.',
    )
    return undefined
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
  return types + AUGMENTATION
}

type Table = { readonly name: string; readonly columns: readonly Column[] }

/**
 * Returns the tables and views that the migrations create. It parses their statements, so that `npm ci` needs no
 * server. A test compares the result with a database.
 */
const tablesOfMigrations = async (): Promise<readonly Table[]> => tablesOf(await scriptsOfMigrations())

/** Returns the tables and views that exist after the scripts have run. */
export function tablesOf(scripts: readonly string[]): readonly Table[] {
  const tables: Tables = new Map()
  for (const statement of scripts.flatMap(split)) apply(statement, tables)
  return [...tables]
    .map(([name, columns]) => ({ name, columns }))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
}

async function scriptsOfMigrations(): Promise<readonly string[]> {
  const scripts: string[] = []
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log({ query }) {
      scripts.push(query.sql)
    },
  })
  for (const load of (await migrationLoaders(SCHOOL_MIGRATIONS)).values()) await (await load()).up(db)
  return scripts
}

/** Returns the statements of a script without comments and quotes of names, and with single spaces. */
const split = (script: string): readonly string[] =>
  [...script.replace(/^\s*--.*$/gm, '').matchAll(/(?:'[^']*'|(\$\w*\$)[\s\S]*?\1|[^;'])+/g)]
    .map(([statement]) => statement.replaceAll('"', '').replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '')

/** Splits at commas outside of parentheses and strings. */
function parts(list: string): readonly string[] {
  const found = ['']
  let depth = 0
  for (const [piece] of list.matchAll(/'[^']*'|[^']/g)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === ',' && depth === 0) found.push('')
    else found[found.length - 1] += piece
  }
  return found.map((part) => part.trim())
}

function apply(statement: string, tables: Tables): void {
  const [, made, definitions = ''] =
    /^create (?:unlogged )?table (\w+) \((.*?)\)(?: with \(.*\))?$/.exec(statement) ?? []
  if (made) tables.set(made, columnsOf(parts(definitions)))
  const [, view, selected = '', from = ''] = /^create view (\w+) as select (.*?) from (\w+)/.exec(statement) ?? []
  if (view) tables.set(view, selectedOf(parts(selected), tables.get(from) ?? []))
  const [, dropped = ''] = /^drop (?:table|view) (.*)$/.exec(statement) ?? []
  for (const table of parts(dropped)) tables.delete(table)
  const [, former = '', renamed] = /^alter (?:table|view) (\w+) rename to (\w+)$/.exec(statement) ?? []
  const moved = tables.get(former)
  if (renamed && moved) {
    tables.delete(former)
    tables.set(renamed, moved)
  }
  const [, altered = '', changes = ''] = /^alter table (\w+) (.*)$/.exec(statement) ?? []
  const columns = tables.get(altered)
  if (columns) tables.set(altered, parts(changes).reduce(change, columns))
}

function change(columns: Column[], text: string): Column[] {
  const [, added] = /^add (?:column )?(.*)$/.exec(text) ?? []
  if (added) return [...columns, ...columnsOf([added])]
  const [, dropped] = /^drop (?:column )?(\w+)$/.exec(text) ?? []
  if (dropped) return columns.filter(({ name }) => name !== dropped)
  const [, former, renamed] = /^rename (?:column )?(\w+) to (\w+)$/.exec(text) ?? []
  if (renamed) return columns.map((column) => (column.name === former ? { ...column, name: renamed } : column))
  const [, changed, how = ''] = /^alter (?:column )?(\w+) (.*)$/.exec(text) ?? []
  return columns.map((column) => (column.name === changed ? { ...column, ...changeOf(how) } : column))
}

function changeOf(text: string): Partial<Column> {
  const [, how, what] = /^(set|drop) (not null|default)/.exec(text) ?? []
  if (what) return what === 'default' ? { hasDefaultValue: how === 'set' } : { isNullable: how === 'drop' }
  const [, type] = /^(?:set data )?type (.*)$/.exec(text) ?? []
  return type ? typeOf(type) : {}
}

/** Returns the definitions that are not table constraints. */
function columnsOf(definitions: readonly string[]): Column[] {
  const keys = definitions.flatMap(
    (text) => /^(?:constraint \w+ )?primary key \((.*)\)/.exec(text)?.[1]?.split(', ') ?? [],
  )
  return definitions
    .filter((text) => !/^(constraint|primary key|unique|check|foreign key)\b/.test(text))
    .map((text) => {
      const [, name = '', type = ''] = /^(\w+) (.*)$/.exec(text) ?? []
      return {
        name,
        ...typeOf(type),
        isNullable: !/ primary key\b|(?<! is) not null\b/.test(type) && !keys.includes(name),
        hasDefaultValue: /(?<! collate) (default|generated)\b/.test(type),
      }
    })
}

function typeOf(text: string): Pick<Column, 'dataType' | 'isArray'> {
  const [, type = '', array] = /^(double precision|\w+)(?:\(\d+\))?(\[\])?/.exec(text) ?? []
  return { dataType: CATALOGUE_TYPES[type] ?? type, isArray: array !== undefined }
}

/** Returns the columns of a view. The catalogue does not record which of them may be null. */
const selectedOf = (selected: readonly string[], columns: readonly Column[]): Column[] =>
  selected.flatMap((text) => {
    const [former, name = former] = text.split(' as ')
    const column = columns.find((column) => column.name === former)
    return column && name ? [{ ...column, name, isNullable: true, hasDefaultValue: false }] : []
  })
