import type { Config } from '../config.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { type AccountValues, createAccount, setPassword } from '../domain/accounts.ts'
import { createPasswordReset } from '../domain/password-resets.ts'
import {
  type ApplicationValues,
  createApplication,
  deleteApplication,
  listApplications,
  rotateSecret,
} from '../oauth/applications.ts'

/** Hears how far a long operation has come. */
export type Progress = (step: string, done: number, total: number) => void

export type SeedSizes = {
  readonly users?: number | undefined
  readonly locations?: number | undefined
  readonly seed?: number | undefined
}

/** Everything that the command line does to a database, whether it opened that itself or asks the running server. */
const operations = {
  migrate: async (database: Database) => ({ migrations: await migrate(database.kysely) }),

  async seed(
    database: Database,
    sizes: SeedSizes,
    progress: Progress,
    config: Config,
  ): Promise<{ seeded: Record<string, number> }> {
    const { seed } = await import('../database/seeds/seed.ts')
    const { demonstrationFiles } = await import('./demonstration-files.ts')
    return { seeded: await seed(database, { ...sizes, files: demonstrationFiles(database, config) }, progress) }
  },

  'app create': (database: Database, values: ApplicationValues & { readonly confidential?: boolean }) =>
    database.transaction((tx) => createApplication(tx, values)),

  'app list': async (database: Database) => ({ applications: await listApplications(database) }),

  'app rotate-secret': (database: Database, { uid }: { readonly uid: string }) =>
    rotateSecret(database, uid, new Date()),

  'app delete': async (database: Database, { uid }: { readonly uid: string }) => ({
    ...(await deleteApplication(database, uid)),
    deleted: true,
  }),

  'user create': (database: Database, values: AccountValues) =>
    database.transaction((tx) => createAccount(tx, values, new Date())),

  'user set-password': (
    database: Database,
    { login, password }: { readonly login: string; readonly password: string },
  ) => database.transaction((tx) => setPassword(tx, login, password, new Date())),

  'user reset-link': async (
    database: Database,
    { login, baseUrl }: { readonly login: string; readonly baseUrl: string },
  ) => {
    const { path, ...reset } = await database.transaction((tx) => createPasswordReset(tx, new Date(), { login }))
    return { login: reset.login, link: baseUrl + path, expires_at: reset.expiresAt }
  },
}

export type OperationName = keyof typeof operations
export type Arguments<Name extends OperationName> = Parameters<(typeof operations)[Name]>[1]

/** What an operation found or made, as JSON holds it. */
export type Result = Readonly<Record<string, unknown>>

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)

type Operation = (database: Database, values: unknown, progress: Progress, config: Config) => Promise<object>

/** Where an operation runs: on an open database, with the files that belong to it. */
type Place = { readonly database: Database; readonly config: Config }

/** Runs an operation where its place is. */
export async function runOperation(
  { database, config }: Place,
  name: OperationName,
  values: unknown,
  progress: Progress,
): Promise<Result> {
  const operation = operations[name] as Operation
  return JSON.parse(JSON.stringify(await operation(database, values, progress, config)))
}
