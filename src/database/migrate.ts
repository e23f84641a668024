import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { applyFunctions } from './apply-functions.ts'
import { applyIndexes } from './apply-indexes.ts'
import type { DeclaredStorage } from './declared-storage.ts'
import { isDatabaseAway, reasonOf } from './errors.ts'
import { adoptFormer, currentMigrations } from './former-migrations.ts'
import { knownMigrations, type MigrationModule, migrationLoaders } from './migration-files.ts'
import { incompatibleAmong, isOfThisRelease, noteCompatible, noteRelease } from './schema-release.ts'
import { anyDatabase } from './tables.ts'

/** Each is run and recorded with its properties, all in one transaction. */
const provider: MigrationProvider = {
  async getMigrations() {
    const loaders = await migrationLoaders()
    const migrationOf = (name: string, load: () => Promise<MigrationModule>): Migration => ({
      async up(db) {
        const { up, servesFormer } = await load()
        await up(db)
        if (servesFormer) await noteCompatible(db, name)
      },
    })
    return Object.fromEntries([...loaders].map(([name, load]) => [name, migrationOf(name, load)]))
  },
}

/**
 * Brings the database to the newest version, all or nothing, under a lock: servers that start together migrate once. Then
 * come functions, triggers and the indexes of lists, which are no matter of migrations: `storage` says what the declarations ask for. Gives the names of the migrations that it ran.
 * A transaction may be given instead. With `countsLater` the caller counts the rows of tables when all else is done.
 */
export async function migrate<T>(
  kysely: Kysely<T>,
  storage: DeclaredStorage,
  { countsLater = false } = {},
): Promise<string[]> {
  const known = await knownMigrations()
  const found = await namesRun(kysely)
  const run = new Set(await currentMigrations(found))
  if (found.some((name) => !run.has(name))) await adoptFormer(anyDatabase(kysely))
  const unknown = [...run].filter((name) => !known.includes(name))
  if (unknown.length > 0) await requireCompatible(kysely, unknown)
  const names = known.every((name) => run.has(name)) ? [] : await runMigrations(kysely, provider)
  // What a newer release has made stays, which knows of this one.
  if (unknown.length > 0) return names
  const applied = await applyFunctions(kysely, storage, { countsLater })
  await applyIndexes(kysely, storage)
  await noteRelease(anyDatabase(kysely))
  if (names.length + applied.length > 0) await beginEpoch(kysely)
  return names
}

/** No trigger records what a migration changes, so everything that other processes have cached counts as changed. */
export async function beginEpoch<T>(kysely: Kysely<T>): Promise<void> {
  await sql`update change_epoch set epoch = gen_random_uuid()`.execute(kysely)
}

/** Whether this release has brought the database to its newest version before: then only a start looks whether all of it is still there. */
export async function isMigrated<T>(kysely: Kysely<T>): Promise<boolean> {
  const [known, run] = [await knownMigrations(), await currentMigrations(await namesRun(kysely))]
  const areSame = run.length === known.length && known.every((name) => run.includes(name))
  return areSame && (await isOfThisRelease(anyDatabase(kysely)))
}

/** The migrations that are left to run. */
export async function pendingMigrations<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  const run = new Set(await currentMigrations(await namesRun(kysely)))
  return (await knownMigrations()).filter((name) => !run.has(name))
}

async function namesRun<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
    return rows.map(({ name }) => name)
  } catch {
    return [] // A new database has no such table; what else is wrong shows when they are run.
  }
}

/** Gives a new database the tables that it had after these migrations, and no others. */
export async function migrateAsFarAs<T>(kysely: Kysely<T>, names: readonly string[]): Promise<void> {
  const known = await provider.getMigrations()
  const chosen = Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)))
  await runMigrations(kysely, { getMigrations: async () => chosen })
}

/** Throws an Error that says so where a newer release was here, beside which this one cannot serve. */
async function requireCompatible<T>(kysely: Kysely<T>, unknown: readonly string[]): Promise<void> {
  const incompatible = await incompatibleAmong(kysely, unknown)
  if (incompatible === undefined) return
  throw new Error(
    `The database was migrated by a newer release (${incompatible}): use that one, or restore a backup of before into an empty database.`,
  )
}

async function runMigrations<T>(kysely: Kysely<T>, provider: MigrationProvider): Promise<string[]> {
  const { error, results } = await new Migrator({ db: kysely, provider }).migrateToLatest()
  const failed = results?.find(({ status }) => status === 'Error')
  if (error && failed && !isDatabaseAway(error)) {
    throw new Error(
      `The migration ${failed.migrationName} failed: ${reasonOf(error)}. The database is as it was, and the former release serves it.`,
      { cause: error },
    )
  }
  if (error) throw error
  return (results ?? []).map(({ migrationName }) => migrationName)
}
