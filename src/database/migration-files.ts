import { readdir } from 'node:fs/promises'

const FOLDER = new URL('./migrations/', import.meta.url)

/** A migration as its file says it. */
export type MigrationModule = {
  up(db: unknown): Promise<void>
  /** Whether processes of former releases, which do not know it, serve on beside it as before; they end unless it is said. */
  readonly servesFormer?: boolean
}

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
