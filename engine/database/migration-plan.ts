import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { findOutdatedTriggers } from './apply-change-triggers.ts'
import { findOutdated } from './apply-functions.ts'
import { compareIndexes } from './apply-indexes.ts'
import { SMALL_BYTES, tableOf } from './create-indexes.ts'
import type { DeclaredStorage } from './declared-storage.ts'
import { pendingMigrations } from './migrate.ts'
import { isContraction, type MigrationModule, type Migrations, migrationLoaders } from './migrations.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from './tables.ts'

export type PlannedStep = {
  readonly what: string
  /** Empty if no existing table is locked. */
  readonly table: string
  readonly waits: 'nothing' | 'writes' | 'reads and writes'
  readonly isLast: boolean
  readonly bytesRead: number
  readonly seconds: number
}

/** Estimated speed on a small machine, where indexing 10,000,000 rows takes half a minute. */
const BYTES_A_SECOND = 40_000_000
const INSTANT_SECONDS = 0.5

type Draft = Omit<PlannedStep, 'bytesRead' | 'seconds'> & { readonly isScanned: boolean }

/** Returns what `migrate` would do to the database, in order. Changes nothing. */
export async function planMigration<T>(kysely: Kysely<T>, storage: DeclaredStorage): Promise<readonly PlannedStep[]> {
  const db = anyDatabase(kysely)
  const sizes = await sizesOf(db)
  const ofStorage = await inTransaction(db, async (tx) => {
    // One of the pending migrations may create the table.
    await sql`do $$ begin
      if to_regclass('captured_tables') is null then
        create temporary table captured_tables (relation text) on commit drop;
      end if;
    end $$`.execute(tx)
    return plannedStorage(tx, storage, sizes)
  })
  const drafts = [...(await plannedMigrations(db, storage.migrations, sizes)), ...ofStorage]
  return drafts
    .sort((one, other) => Number(one.isLast) - Number(other.isLast))
    .map(({ isScanned, ...step }) => {
      const bytesRead = isScanned ? (sizes.get(step.table) ?? 0) : 0
      return {
        ...step,
        bytesRead,
        seconds: Math.round(Math.max(INSTANT_SECONDS, bytesRead / BYTES_A_SECOND) * 10) / 10,
      }
    })
}

type Sizes = ReadonlyMap<string, number>

const draft = (what: string, more: Partial<Draft>): Draft => ({
  what,
  table: '',
  waits: 'nothing',
  isLast: false,
  isScanned: false,
  ...more,
})

function plannedIndex(what: string, table: string, sizes: Sizes): Draft {
  const waits = (sizes.get(table) ?? 0) > SMALL_BYTES ? 'nothing' : 'writes'
  return draft(what, { table, waits, isScanned: true })
}

async function plannedMigrations(db: AnyDatabase, migrations: Migrations, sizes: Sizes): Promise<readonly Draft[]> {
  const loaders = await migrationLoaders(migrations)
  const drafts: Draft[] = []
  for (const name of await pendingMigrations(db, migrations)) {
    const { up, indexes = {} } = (await loaders.get(name)?.()) ?? { async up() {} }
    for (const [index, madeOn] of Object.entries(indexes))
      drafts.push(plannedIndex(`${name}: index ${index}`, tableOf(madeOn), sizes))
    const locks = new Map((await statementsOf(up)).flatMap(lockOf).filter(([table]) => sizes.has(table)))
    const isLast = isContraction(name)
    if (locks.size === 0) drafts.push(draft(name, { isLast }))
    for (const [table, lock] of locks) drafts.push(draft(name, { table, isLast, ...lock }))
  }
  return drafts
}

async function plannedStorage(db: AnyDatabase, storage: DeclaredStorage, sizes: Sizes): Promise<readonly Draft[]> {
  const { functions, triggers, retired, retiredTriggers } = await findOutdated(db, storage)
  const { missing, unneeded } = await compareIndexes(db, storage)
  const tables = new Set([...triggers, ...(await findOutdatedTriggers(db, storage))].map(({ table }) => table))
  const counted = functions.filter(({ current }) => current.recount).map(({ current: { name } }) => name)
  return [
    ...(functions.length > 0 ? [draft(`${functions.length} functions`, {})] : []),
    ...[...tables].map((table) => draft('triggers', { table, waits: 'writes' })),
    ...counted.map((name) =>
      draft('count its rows anew', { table: name.replace(/^recount_rows_of_/, ''), isScanned: true }),
    ),
    ...[...missing].map(([name, madeOn]) => plannedIndex(`index ${name}`, tableOf(madeOn), sizes)),
    ...retiredTriggers.map(({ name, table }) =>
      draft(`drop trigger ${name}`, { table, waits: 'reads and writes', isLast: true }),
    ),
    ...[...retired, ...unneeded].map((name) => draft(`drop ${name}`, { isLast: true })),
  ]
}

async function statementsOf(up: MigrationModule['up']): Promise<readonly string[]> {
  const sent: string[] = []
  const recorder = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (one: Kysely<unknown>) => new PostgresIntrospector(one),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }: { readonly query: { readonly sql: string } }) => void sent.push(query.sql),
  })
  await up(recorder)
  return sent
    .join(';')
    .replace(/--.*$/gm, '')
    .split(';')
    .map((one) => one.trim())
}

type Lock = { readonly waits: PlannedStep['waits']; readonly isScanned: boolean }

const INSTANT_LOCK: Lock = { waits: 'reads and writes', isScanned: false }

/** Locks by the first words of a statement (PostgreSQL documentation, 13.3.1). */
const LOCKS: readonly (readonly [RegExp, Lock])[] = [
  [/^create (?:unique )?index (?:\S+ )?on (?:only )?"?(\w+)/i, { waits: 'writes', isScanned: true }],
  [/^alter table "?(\w+)"? set \(/i, { waits: 'nothing', isScanned: false }],
  [/^alter table "?(\w+)"? (?:alter .* type|add constraint|validate)/i, { waits: 'reads and writes', isScanned: true }],
  [/^(?:alter|drop) table (?:if exists )?"?(\w+)/i, INSTANT_LOCK],
  [/^drop trigger .* on "?(\w+)/i, INSTANT_LOCK],
  [/^lock table ([\w, ]+?) in share row exclusive/i, { waits: 'writes', isScanned: false }],
  [/^(?:update|delete from) "?(\w+)/i, { waits: 'nothing', isScanned: true }],
]

function lockOf(statement: string): readonly (readonly [table: string, Lock])[] {
  for (const [pattern, lock] of LOCKS) {
    const [, tables] = pattern.exec(statement) ?? []
    if (tables !== undefined) return tables.split(/, */).map((table) => [table, lock] as const)
  }
  return []
}

async function sizesOf(db: AnyDatabase): Promise<Sizes> {
  const { rows } = await sql<{ name: string; bytes: string }>`
    select relname as name, pg_table_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(db)
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}
