import { readdir } from 'node:fs/promises'

const FOLDER = new URL('./migrations/', import.meta.url)

/** A migration as its file says it. */
export type MigrationModule = {
  up(db: unknown): Promise<void>
  /** Indexes of tables that may be large, which are created before it, concurrently: by name, what each is on. */
  readonly indexes?: Readonly<Record<string, string>>
}

/** The last migration that is of neither kind: former releases do not serve beside it, nor beside those before. */
const LAST_UNPHASED = '0490_names_of_counts'

/**
 * Whether the migration takes away what processes of the former release need (its name says `contract`): it is run when none is left.
 * All others but the first ones expand: those processes, which do not know them, serve on beside them as before.
 */
export const isContraction = (name: string): boolean => /^\d{4}_contract_/.test(name)

/** Whether processes of former releases serve on beside it. */
export const servesFormer = (name: string): boolean => name > LAST_UNPHASED && !isContraction(name)

/** The names of all migrations that this version knows, in their order; a new file needs no list to be entered in. */
export async function knownMigrations(): Promise<readonly string[]> {
  return (await migrationFiles()).map(nameOf)
}

/** What loads each migration, by name: when it is run, so that a start on a database that is up to date takes less time. */
export async function migrationLoaders(): Promise<ReadonlyMap<string, () => Promise<MigrationModule>>> {
  const files = await migrationFiles()
  return new Map(files.map((file) => [nameOf(file), () => import(new URL(file, FOLDER).href)]))
}

const migrationFiles = async () => (await readdir(FOLDER)).filter((file) => /^\d{4}_\w+\.(ts|js)$/.test(file)).sort()

const nameOf = (file: string) => file.replace(/\.\w+$/, '')
