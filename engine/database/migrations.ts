import { readdir } from 'node:fs/promises'
import { type AnyDatabase, runScript } from './tables.ts'

export type MigrationModule = {
  up(db: AnyDatabase): Promise<void>
  /** Indexes of large tables to create concurrently before the migration: name → table and columns. */
  readonly indexes?: Readonly<Record<string, string>>
}

/** Returns a migration that runs an SQL script. Text columns that the script creates sort by code point. */
export const script = (statements: string): MigrationModule => ({ up: (db) => runScript(db, statements) })

export type Migrations = {
  /** Folder with a file for each migration, such as `0010_books.ts`. */
  readonly folder?: URL
  readonly modules?: Readonly<Record<string, MigrationModule>>
  /** The last migration beside which former releases cannot keep serving. Ignores contracting migrations. */
  readonly lastUnphased?: string
  readonly squashed?: SquashedMigrations
}

export type SquashedMigrations = {
  /** The last squashed migration. Names of migrations after the baseline are greater. */
  readonly last: string
  readonly lastOfBaseline: string
  /** SHA-256 in hexadecimal of the squashed names in order, separated by commas. */
  readonly digest: string
  /** Last commit that contains the squashed migrations. */
  readonly lastCommit: string
}

/** Reports whether a migration removes what former releases need, so that it runs when none is connected. Others only expand. */
export const isContraction = (name: string): boolean => /^\d{4}_contract_/.test(name)

export const servesFormer = ({ lastUnphased = '' }: Migrations, name: string): boolean =>
  name > lastUnphased && !isContraction(name)

export async function knownMigrations(migrations: Migrations): Promise<readonly string[]> {
  return [...(await migrationLoaders(migrations)).keys()]
}

type Load = () => Promise<MigrationModule>

/** Returns a loader for each migration in the order of names. Throws if a name is not four digits and words. */
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
