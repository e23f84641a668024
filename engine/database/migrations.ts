import { readdir } from 'node:fs/promises'
import { type AnyDatabase, runScript } from './tables.ts'

/** A migration as its file says it. */
export type MigrationModule = {
  up(db: AnyDatabase): Promise<void>
  /** Indexes of tables that may be large, which are created before it, concurrently: by name, what each is on. */
  readonly indexes?: Readonly<Record<string, string>>
}

/** Returns a migration that runs a script of SQL. Its columns of text sort by code point. */
export const script = (statements: string): MigrationModule => ({ up: (db) => runScript(db, statements) })

/** The migrations that make the tables of a service. */
export type Migrations = {
  /** Folder with a file for each migration, such as `0010_books.ts`. */
  readonly folder?: URL
  /** Migrations by name, such as `0010_books`, besides those of the folder. */
  readonly modules?: Readonly<Record<string, MigrationModule>>
  /**
   * Last migration that former releases cannot serve beside, other than contracting ones. Former releases serve beside every
   * later migration that is not contracting.
   */
  readonly lastUnphased?: string
  readonly squashed?: SquashedMigrations
}

/** Migrations that a baseline has replaced. */
export type SquashedMigrations = {
  /** Name of the last squashed migration. Names of migrations after the baseline are greater. */
  readonly last: string
  /** The last migration of the baseline. */
  readonly lastOfBaseline: string
  /** SHA-256 of the squashed names in order, separated by commas, in hexadecimal digits. */
  readonly digest: string
  /** Last commit that contains the squashed migrations. */
  readonly lastCommit: string
}

/**
 * Whether the migration takes away what processes of the former release need (its name says `contract`): it is run when none is left.
 * All others but the first ones expand: those processes, which do not know them, serve on beside them as before.
 */
export const isContraction = (name: string): boolean => /^\d{4}_contract_/.test(name)

/** Whether processes of former releases serve on beside it. */
export const servesFormer = ({ lastUnphased = '' }: Migrations, name: string): boolean =>
  name > lastUnphased && !isContraction(name)

/** Returns the names of all migrations that this version knows, in their order. A new file needs no list to be entered in. */
export async function knownMigrations(migrations: Migrations): Promise<readonly string[]> {
  return [...(await migrationLoaders(migrations)).keys()]
}

type Load = () => Promise<MigrationModule>

/**
 * Returns what loads each migration, by name and in the order of names. A file is loaded when its migration is run, so that a start on
 * a database that is up to date takes less time. Throws if a name is not four digits and words.
 */
export async function migrationLoaders({ folder, modules = {} }: Migrations): Promise<ReadonlyMap<string, Load>> {
  const given = Object.entries(modules).map(([name, module]): readonly [string, Load] => [name, async () => module])
  const misnamed = given.find(([name]) => !NAME.test(name))
  if (misnamed) throw new Error(`A migration is called ${misnamed[0]}: name it like 0010_books.`)
  return new Map([...(folder ? await filesIn(folder) : []), ...given].sort(byName))
}

const NAME = /^\d{4}_\w+$/

const byName = ([one]: readonly [string, Load], [other]: readonly [string, Load]) => (one < other ? -1 : 1)

async function filesIn(folder: URL): Promise<readonly (readonly [string, Load])[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_\w+\.(ts|js)$/.test(file))
  return files.map((file) => [file.replace(/\.\w+$/, ''), () => import(new URL(file, folder).href)])
}
