import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { type AccountValues, createAccount, setPassword } from '../domain/accounts.ts'
import {
  type ApplicationValues,
  createApplication,
  deleteApplication,
  listApplications,
  rotateSecret,
} from '../oauth/applications.ts'
import type { Sealing } from '../webhooks/sealing.ts'

/** Hears how far a long operation has come. */
export type Progress = (step: string, done: number, total: number) => void

export type SeedSizes = {
  readonly users?: number | undefined
  readonly locations?: number | undefined
  readonly seed?: number | undefined
}

/** What operations work on. */
export type Means = { readonly database: Database; readonly sealing: Sealing }

/** Everything that the command line does to a database, whether it opened that itself or asks the running server. */
const operations = {
  migrate: async ({ database }: Means) => ({ migrations: await migrate(database.kysely) }),

  async seed({ database }: Means, sizes: SeedSizes, progress: Progress): Promise<{ seeded: Record<string, number> }> {
    const { seed } = await import('../database/seeds/seed.ts')
    return { seeded: await seed(database, sizes, progress) }
  },

  'app create': ({ database }: Means, values: ApplicationValues) =>
    database.transaction((tx) => createApplication(tx, values)),

  'app list': async ({ database }: Means) => ({ applications: await listApplications(database) }),

  'app rotate-secret': ({ database }: Means, { uid }: { readonly uid: string }) =>
    rotateSecret(database, uid, new Date()),

  'app delete': async ({ database }: Means, { uid }: { readonly uid: string }) => ({
    ...(await deleteApplication(database, uid)),
    deleted: true,
  }),

  'user create': ({ database, sealing }: Means, values: AccountValues) =>
    database.transaction((tx) => createAccount(tx, values, sealing)),

  'user set-password': (
    { database, sealing }: Means,
    { login, password }: { readonly login: string; readonly password: string },
  ) => database.transaction((tx) => setPassword(tx, login, password, sealing)),
}

export type OperationName = keyof typeof operations
export type Arguments<Name extends OperationName> = Parameters<(typeof operations)[Name]>[1]

/** What an operation found or made, as JSON holds it. */
export type Result = Readonly<Record<string, unknown>>

export const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name)

type Operation = (means: Means, values: unknown, progress: Progress) => Promise<object>

/** Runs an operation on an open database. */
export async function runOperation(
  means: Means,
  name: OperationName,
  values: unknown,
  progress: Progress,
): Promise<Result> {
  const operation = operations[name] as Operation
  return JSON.parse(JSON.stringify(await operation(means, values, progress)))
}
