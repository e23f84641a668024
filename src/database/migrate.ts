import { readdir } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration'
import { applyFunctions } from './apply-functions.ts'
import { applyIndexes } from './apply-indexes.ts'
import { isDatabaseAway, reasonOf } from './errors.ts'

/**
 * Every file of `migrations/`, in the order of their numbers; a new file needs no list to be entered in. One is loaded when
 * it is run, so that a server or a command on a database that is up to date starts sooner.
 */
const provider: MigrationProvider = {
  async getMigrations() {
    const folder = new URL('./migrations/', import.meta.url)
    const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.(ts|js)$/.test(file)).sort()
    const migrationOf = (file: string): Migration => ({
      up: async (db) => (await import(new URL(file, folder).href)).up(db),
    })
    return Object.fromEntries(files.map((file) => [file.replace(/\.\w+$/, ''), migrationOf(file)]))
  },
}

/**
 * Brings the database to the newest version, all or nothing, under a lock: servers that start together migrate once. Then
 * come functions, triggers and the indexes of lists, which are no matter of migrations. Gives the names of the migrations that it ran.
 * A transaction may be given instead. With `countsLater` the caller counts the rows of tables when all else is done.
 */
export async function migrate<T>(kysely: Kysely<T>, { countsLater = false } = {}): Promise<string[]> {
  const names = (await hasRunAll(kysely)) ? [] : await runNewer(kysely)
  const applied = await applyFunctions(kysely, { countsLater })
  await applyIndexes(kysely)
  if (names.length + applied.length > 0) await beginEpoch(kysely)
  return names
}

/** What a migration changes no trigger tells: whatever other processes have cached counts as changed. */
export async function beginEpoch<T>(kysely: Kysely<T>): Promise<void> {
  await sql`update change_epoch set epoch = gen_random_uuid()`.execute(kysely)
}

/** Whether nothing is left to run, told by one statement: Kysely asks for every table and column, twice, and takes a lock. */
async function hasRunAll<T>(kysely: Kysely<T>): Promise<boolean> {
  const wanted = Object.keys(await provider.getMigrations())
  const run = await namesRun(kysely)
  return run.size === wanted.length && wanted.every((name) => run.has(name))
}

/** The migrations that are left to run. */
export async function pendingMigrations<T>(kysely: Kysely<T>): Promise<readonly string[]> {
  const run = await namesRun(kysely)
  return Object.keys(await provider.getMigrations()).filter((name) => !run.has(name))
}

async function namesRun<T>(kysely: Kysely<T>): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(kysely)
    return new Set(rows.map(({ name }) => name))
  } catch {
    return new Set() // A new database has no such table; what else is wrong shows when they are run.
  }
}

/** The names of all migrations that this version knows, in their order. */
export const knownMigrations = async (): Promise<readonly string[]> => Object.keys(await provider.getMigrations())

/** Gives a new database the tables that it had after these migrations, and no others. */
export async function migrateAsFarAs<T>(kysely: Kysely<T>, names: readonly string[]): Promise<void> {
  const known = await provider.getMigrations()
  const chosen = Object.fromEntries(Object.entries(known).filter(([name]) => names.includes(name)))
  await runMigrations(kysely, { getMigrations: async () => chosen })
}

/** Throws an Error that says so where a newer release was here. */
async function runNewer<T>(kysely: Kysely<T>): Promise<string[]> {
  const known = await knownMigrations()
  const unknown = [...(await namesRun(kysely))].filter((name) => !known.includes(name))
  if (unknown.length === 0) return runMigrations(kysely, provider)
  throw new Error(
    `The database was migrated by a newer release (${unknown.sort().at(-1)}): use that one, or restore a backup of before into an empty database.`,
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
