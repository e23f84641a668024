import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { codeOf } from '../base/caught.ts'
import { once } from '../base/once.ts'
import { applyFunctions, hasRetired } from './apply-functions.ts'
import { applyIndexes, compareIndexes } from './apply-indexes.ts'
import { createIndexes } from './create-indexes.ts'
import type { DeclaredStorage } from './declared-storage.ts'
import { isDatabaseAway, reasonOf } from './errors.ts'
import { findFormerClients } from './former-clients.ts'
import { isContraction, knownMigrations, type Migrations, migrationLoaders, servesFormer } from './migrations.ts'
import { incompatibleAmong, isOfNewerRelease, isOfThisRelease, noteCompatible, noteRelease } from './schema-release.ts'
import { isLockMissed, whileAlone, withShortLocks } from './short-locks.ts'
import { adoptBaseline, currentMigrations } from './squashed-migrations.ts'
import { type AnyDatabase, anyDatabase } from './tables.ts'

const MIGRATION_LOCK = 4200

type Options = {
  readonly countsLater?: boolean
  /** Whether to run contracting migrations. Defaults to true if no process of a former release is connected. */
  readonly contracts?: boolean | undefined
  /** Called if all tables exist already, before functions and indexes are checked. */
  readonly onTables?: () => void
}

/**
 * Brings the database to the newest version beside processes of the former release. Runs each migration in its own transaction, under a
 * lock. Then applies functions, triggers and indexes of `storage`. Accepts a transaction instead of a database. Returns the names of
 * the migrations that were run.
 */
export async function migrate<T>(
  kysely: Kysely<T>,
  storage: DeclaredStorage,
  { countsLater = false, contracts, onTables }: Options = {},
): Promise<string[]> {
  const db = anyDatabase(kysely)
  const { migrations } = storage
  const known = await knownMigrations(migrations)
  const found = await namesRun(kysely)
  const run = new Set(await currentMigrations(migrations, found))
  if (found.some((name) => !run.has(name))) await adoptBaseline(db, migrations)
  const unknown = [...run].filter((name) => !known.includes(name))
  if (unknown.length > 0) await requireCompatible(kysely, unknown)
  const isComplete = known.every((name) => run.has(name))
  const isContracting = once(async () => contracts ?? (db.isTransaction || (await findFormerClients(db)).length === 0))
  const names = isComplete ? [] : await runPending(db, migrations, await isContracting())
  if (isComplete) onTables?.()
  // A newer release that is compatible with this one has applied its own.
  if (unknown.length > 0) return names
  const applied = await applyFunctions(kysely, storage, { countsLater, contracts: isContracting })
  await applyIndexes(kysely, storage, { contracts: isContracting })
  await noteRelease(db)
  if (names.length + applied.length > 0) await beginEpoch(kysely)
  return names
}

export async function waitingFor<T>(kysely: Kysely<T>, storage: DeclaredStorage): Promise<readonly string[]> {
  return (await isToContract(kysely, storage)) ? findFormerClients(anyDatabase(kysely)) : []
}

export async function isToContract<T>(kysely: Kysely<T>, storage: DeclaredStorage): Promise<boolean> {
  // A newer release contracts on its own.
  if (await isOfNewerRelease(anyDatabase(kysely))) return false
  if ((await pendingMigrations(kysely, storage.migrations)).length > 0 || (await hasRetired(kysely, storage)))
    return true
  return (await compareIndexes(anyDatabase(kysely), storage)).unneeded.length > 0
}

/** Invalidates all caches, since no trigger records the changes of migrations. */
export async function beginEpoch<T>(kysely: Kysely<T>): Promise<void> {
  await sql`update change_epoch set epoch = gen_random_uuid()`.execute(kysely)
}

export async function isMigrated<T>(kysely: Kysely<T>, migrations: Migrations): Promise<boolean> {
  const known = await knownMigrations(migrations)
  const run = await currentMigrations(migrations, await namesRun(kysely))
  const isRun = known.every((name) => run.includes(name) || isContraction(name))
  return isRun && run.every((name) => known.includes(name)) && (await isOfThisRelease(anyDatabase(kysely)))
}

export const hasTables = async <T>(kysely: Kysely<T>): Promise<boolean> => (await namesRun(kysely)).length > 0

export async function pendingMigrations<T>(kysely: Kysely<T>, migrations: Migrations): Promise<readonly string[]> {
  const run = new Set(await currentMigrations(migrations, await namesRun(kysely)))
  return (await knownMigrations(migrations)).filter((name) => !run.has(name))
}

async function namesRun<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  // A failed statement would abort a transaction.
  const { rows: made } = kysely.isTransaction
    ? await sql`select where to_regclass('kysely_migration') is not null`.execute(kysely)
    : { rows: [1] }
  if (made.length === 0) return []
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (codeOf(error) === UNDEFINED_TABLE) return []
    throw error
  }
}

const UNDEFINED_TABLE = '42P01'

export async function migrateAsFarAs<T>(
  kysely: Kysely<T>,
  migrations: Migrations,
  names: readonly string[],
): Promise<void> {
  const db = anyDatabase(kysely)
  for (const name of (await knownMigrations(migrations)).filter((one) => names.includes(one)))
    await runMigration(db, migrations, name, await namesRun(db))
}

async function requireCompatible<T>(kysely: Kysely<T>, unknown: readonly string[]): Promise<void> {
  const incompatible = await incompatibleAmong(kysely, unknown)
  if (incompatible === undefined) return
  throw new Error(
    `The database was migrated by a newer release (${incompatible}): use that one, or restore a backup of before into an empty database.`,
  )
}

async function runPending(db: AnyDatabase, migrations: Migrations, contracts: boolean): Promise<string[]> {
  return whileAlone(db, MIGRATION_LOCK, async (one) => {
    const ran: string[] = []
    for (const name of await pendingMigrations(one, migrations)) {
      if (isContraction(name) && !contracts) continue
      await runMigration(one, migrations, name, await namesRun(one))
      ran.push(name)
    }
    return ran
  })
}

async function runMigration(
  db: AnyDatabase,
  migrations: Migrations,
  name: string,
  run: readonly string[],
): Promise<void> {
  const { up, indexes = {} } = await migrationNamed(migrations, name)
  await createIndexes(db, new Map(Object.entries(indexes)))
  // The migrator reports errors of later statements in the failed transaction.
  let failure: unknown
  const migration: Migration = {
    async up(tx) {
      try {
        await up(tx)
        if (servesFormer(migrations, name)) await noteCompatible(tx, name)
      } catch (error) {
        failure = error
        throw error
      }
    },
  }
  const provider: MigrationProvider = {
    getMigrations: async () => ({ ...Object.fromEntries(run.map((one) => [one, ALREADY_RUN])), [name]: migration }),
  }
  await withShortLocks(db, async (tx) => {
    failure = undefined
    const migrator = new Migrator({ db: tx, provider, allowUnorderedMigrations: true })
    const { error } = await migrator.migrateToLatest().catch((error) => ({ error }))
    if (!error) return
    if (failure === undefined || isDatabaseAway(failure) || isLockMissed(failure)) throw failure ?? error
    throw new Error(
      `The migration ${name} failed: ${reasonOf(failure)}. What it would change is as it was, and the former release serves it.`,
      { cause: failure },
    )
  })
}

const ALREADY_RUN: Migration = { async up() {} }

async function migrationNamed(migrations: Migrations, name: string) {
  const load = (await migrationLoaders(migrations)).get(name)
  if (!load) throw new Error(`There is no migration ${name}`)
  return load()
}
