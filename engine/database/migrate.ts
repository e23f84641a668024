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

/** Any number, for the lock under which servers that start together do this one after another. */
const MIGRATION_LOCK = 4200

type Options = {
  /** The caller counts the rows of tables when all else is done. */
  readonly countsLater?: boolean
  /**
   * Whether what only a former release needs goes as well. Unless it is said it goes where no process of a former release is
   * connected; else it stays until `contract` finds that none is.
   */
  readonly contracts?: boolean | undefined
  /** Called where all tables are there already, before the rest is looked at. */
  readonly onTables?: () => void
}

/**
 * Brings the database to the newest version beside processes of the former release, under a lock: servers that start together migrate
 * once. Each migration is run in a transaction of its own. Then come functions, triggers and the indexes of lists, which are no
 * matter of migrations: `storage` says what the declarations ask for. Gives the names of the migrations that it ran. A transaction may
 * be given instead.
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
  // What a newer release has made stays, which knows of this one.
  if (unknown.length > 0) return names
  const applied = await applyFunctions(kysely, storage, { countsLater, contracts: isContracting })
  await applyIndexes(kysely, storage, { contracts: isContracting })
  await noteRelease(db)
  if (names.length + applied.length > 0) await beginEpoch(kysely)
  return names
}

/** The clients for whose sake something waits that is to go; none where nothing waits. */
export async function waitingFor<T>(kysely: Kysely<T>, storage: DeclaredStorage): Promise<readonly string[]> {
  return (await isToContract(kysely, storage)) ? findFormerClients(anyDatabase(kysely)) : []
}

/** Whether anything waits until no process of a former release is connected. */
export async function isToContract<T>(kysely: Kysely<T>, storage: DeclaredStorage): Promise<boolean> {
  // What a newer release has made is its own to take away.
  if (await isOfNewerRelease(anyDatabase(kysely))) return false
  if ((await pendingMigrations(kysely, storage.migrations)).length > 0 || (await hasRetired(kysely, storage)))
    return true
  return (await compareIndexes(anyDatabase(kysely), storage)).unneeded.length > 0
}

/** No trigger records what a migration changes, so everything that other processes have cached counts as changed. */
export async function beginEpoch<T>(kysely: Kysely<T>): Promise<void> {
  await sql`update change_epoch set epoch = gen_random_uuid()`.execute(kysely)
}

/** Whether this release has brought the database to its newest version before: then only a start looks whether all of it is still there. */
export async function isMigrated<T>(kysely: Kysely<T>, migrations: Migrations): Promise<boolean> {
  const known = await knownMigrations(migrations)
  const run = await currentMigrations(migrations, await namesRun(kysely))
  const isRun = known.every((name) => run.includes(name) || isContraction(name))
  return isRun && run.every((name) => known.includes(name)) && (await isOfThisRelease(anyDatabase(kysely)))
}

/** Whether the database has been migrated before, by any release. */
export const hasTables = async <T>(kysely: Kysely<T>): Promise<boolean> => (await namesRun(kysely)).length > 0

/** The migrations that are left to run. */
export async function pendingMigrations<T>(kysely: Kysely<T>, migrations: Migrations): Promise<readonly string[]> {
  const run = new Set(await currentMigrations(migrations, await namesRun(kysely)))
  return (await knownMigrations(migrations)).filter((name) => !run.has(name))
}

async function namesRun<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  // In a transaction nothing may fail.
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

/** Gives a new database the tables that it had after these migrations, and no others. */
export async function migrateAsFarAs<T>(
  kysely: Kysely<T>,
  migrations: Migrations,
  names: readonly string[],
): Promise<void> {
  const db = anyDatabase(kysely)
  for (const name of (await knownMigrations(migrations)).filter((one) => names.includes(one)))
    await runMigration(db, migrations, name, await namesRun(db))
}

/** Throws an Error that says so where a newer release was here, beside which this one cannot serve. */
async function requireCompatible<T>(kysely: Kysely<T>, unknown: readonly string[]): Promise<void> {
  const incompatible = await incompatibleAmong(kysely, unknown)
  if (incompatible === undefined) return
  throw new Error(
    `The database was migrated by a newer release (${incompatible}): use that one, or restore a backup of before into an empty database.`,
  )
}

/** In the order of their names; without those that contract, unless it is said. */
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

/** Runs one migration, which is recorded in its transaction; again where it has not had its locks in time. */
async function runMigration(
  db: AnyDatabase,
  migrations: Migrations,
  name: string,
  run: readonly string[],
): Promise<void> {
  const { up, indexes = {} } = await migrationNamed(migrations, name)
  await createIndexes(db, new Map(Object.entries(indexes)))
  // The migrator reports what failed after it, in a transaction that is over.
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
