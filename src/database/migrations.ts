import { readdir } from 'node:fs/promises'

/** A migration as its file says it. */
export type MigrationModule = {
  up(db: unknown): Promise<void>
  /** Indexes of tables that may be large, which are created before it, concurrently: by name, what each is on. */
  readonly indexes?: Readonly<Record<string, string>>
}

/** The migrations that make the tables of a service. */
export type Migrations = {
  /** Folder with a file for each migration, such as `0010_books.ts`. */
  readonly folder: URL
  /**
   * The last of the migrations beside which former releases do not serve although it contracts nothing. All earlier ones are
   * like it.
   */
  readonly lastUnphased: string
  readonly squashed?: SquashedMigrations
}

/** Migrations that a baseline has replaced. */
export type SquashedMigrations = {
  /** The last of them. Names of migrations that are not part of the baseline are greater. */
  readonly last: string
  /** The last migration of the baseline. */
  readonly lastOfBaseline: string
  /** SHA-256 of their names in order, separated by commas, in hexadecimal digits. */
  readonly digest: string
  /** The last commit with them. */
  readonly lastCommit: string
}

/**
 * Whether the migration takes away what processes of the former release need (its name says `contract`): it is run when none is left.
 * All others but the first ones expand: those processes, which do not know them, serve on beside them as before.
 */
export const isContraction = (name: string): boolean => /^\d{4}_contract_/.test(name)

/** Whether processes of former releases serve on beside it. */
export const servesFormer = ({ lastUnphased }: Migrations, name: string): boolean =>
  name > lastUnphased && !isContraction(name)

/** The names of all migrations that this version knows, in their order; a new file needs no list to be entered in. */
export async function knownMigrations({ folder }: Migrations): Promise<readonly string[]> {
  return (await filesIn(folder)).map(nameOf)
}

/** What loads each migration, by name: when it is run, so that a start on a database that is up to date takes less time. */
export async function migrationLoaders({
  folder,
}: Migrations): Promise<ReadonlyMap<string, () => Promise<MigrationModule>>> {
  const files = await filesIn(folder)
  return new Map(files.map((file) => [nameOf(file), () => import(new URL(file, folder).href)]))
}

const filesIn = async (folder: URL) =>
  (await readdir(folder)).filter((file) => /^\d{4}_\w+\.(ts|js)$/.test(file)).sort()

const nameOf = (file: string) => file.replace(/\.\w+$/, '')
