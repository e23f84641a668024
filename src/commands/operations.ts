import { actingCommand } from '../audit/actors.ts'
import type { Actor } from '../audit/audit.ts'
import { migrate } from '../database/migrate.ts'
import type { SeedSizes } from '../demo/fill-database.ts'
import { createPasswordReset, mailPasswordReset } from '../domain/access/password-resets.ts'
import { isAdministrator, makeAdministrator, removeAdministrator } from '../domain/access/powers.ts'
import { setPassword } from '../domain/access/set-password.ts'
import type { AccountValues } from '../domain/accounts/account-values.ts'
import { accountOf, createAccount } from '../domain/accounts/accounts.ts'
import { anonymizeUser } from '../domain/accounts/anonymize.ts'
import { closeAccount, openAccount } from '../domain/accounts/closes.ts'
import { findPeople, personByLogin, type UserFilter } from '../domain/accounts/find-users.ts'
import { unprocessable } from '../errors.ts'
import {
  applicationOf,
  changeNamedApplication,
  createNamedApplication,
  describeApplication,
  listApplications,
  type NamedValues,
} from '../oauth/applications/by-operators.ts'
import { deleteApplication } from '../oauth/applications/delete.ts'
import { rotateSecret } from '../oauth/applications/secrets.ts'
import type { Progress } from '../progress.ts'
import { findDelivery, type Listing, listDeliveries } from '../webhooks/delivery-log.ts'
import { type Range, replayOne, replayRange } from '../webhooks/replay.ts'
import type { Dependencies } from './dependencies.ts'
import type { ExportValues } from './export-command.ts'
import type { ImportValues } from './import-command.ts'
import type { MirrorValues } from './mirror-command.ts'

type Command = Dependencies & {
  /** The command line as it is audited. */
  readonly actor: Actor
  readonly now: Date
}

/** Everything that the command line does to a database. */
const operations = {
  migrate: async ({ database }: Dependencies) => ({ migrations: await migrate(database.background.kysely) }),

  async seed(
    { database, config }: Dependencies,
    sizes: SeedSizes,
    progress: Progress,
  ): Promise<{ seeded: Record<string, number> }> {
    const { fillDatabase } = await import('../demo/fill-database.ts')
    return { seeded: await fillDatabase(database, config, sizes, progress) }
  },

  'app create': ({ database, ...by }: Command, values: NamedValues & { readonly confidential?: boolean }) =>
    database.transaction((tx) => createNamedApplication(tx, values, by)),

  'app list': async ({ database }: Dependencies) => ({ applications: await listApplications(database) }),

  'app show': ({ database, now }: Command, { uid }: { readonly uid: string }) =>
    describeApplication(database, uid, now),

  'app update': ({ database, ...by }: Command, values: NamedValues & { readonly uid: string }) =>
    database.transaction((tx) => changeNamedApplication(tx, values, by)),

  'app rotate-secret': ({ database, actor, now }: Command, { uid }: { readonly uid: string }) =>
    database.transaction(async (tx) => {
      const { id } = await applicationOf(tx, uid)
      return rotateSecret(tx, { id, actor, now })
    }),

  'app delete': ({ database, actor, now }: Command, { uid }: { readonly uid: string }) =>
    database.transaction(async (tx) => {
      const application = await applicationOf(tx, uid)
      await deleteApplication(tx, { id: application.id, actor, now })
      return { ...application, deleted: true }
    }),

  'deliveries list': async ({ database }: Dependencies, listing: Listing) => ({
    deliveries: await listDeliveries(database, listing),
  }),

  'deliveries show': async ({ database }: Dependencies, { id }: { readonly id: number }) => ({
    delivery: await findDelivery(database, id),
  }),

  async 'deliveries replay'({ database, actor, now }: Command, { ids, range }: Replay): Promise<{ replayed: number }> {
    return database.transaction(async (tx) => {
      for (const id of ids) await replayOne(tx, id, { actor, now })
      return { replayed: ids.length + (range ? await replayRange(tx, readRange(range), { actor, now }) : 0) }
    })
  },

  async import({ database, config, sealing }: Command, values: ImportValues, progress: Progress) {
    const { importForCommand } = await import('./import-command.ts')
    return importForCommand({ database, config, sealing }, values, progress)
  },

  async export({ database, config, sealing }: Command, values: ExportValues, progress: Progress) {
    const { exportForCommand } = await import('./export-command.ts')
    return exportForCommand({ database, config, sealing }, values, progress)
  },

  async mirror({ database, config }: Command, values: MirrorValues, progress: Progress) {
    const { mirrorForCommand } = await import('./mirror-command.ts')
    return mirrorForCommand({ database, config }, values, progress)
  },

  async 'mirror estimate'({ database, config }: Command, values: MirrorValues, progress: Progress) {
    const { estimateForCommand } = await import('./mirror-command.ts')
    return estimateForCommand({ database, config }, values, progress)
  },

  'user create': async ({ database, sealing: seal, actor, now }: Command, { baseUrl, ...values }: NewPerson) => {
    const sealing = await seal()
    return database.transaction(async (tx) => {
      const account = await createAccount(tx, sealing, { values, actor, now })
      if (values.kind === 'admin' && !values.campusId) await makeAdministrator(tx, { userId: account.id, actor, now })
      if (values.kind !== 'admin' || values.password) return account
      const reset = await createPasswordReset(tx, now, { login: account.login, actor })
      return { ...account, link: baseUrl + reset.path, expires_at: reset.expiresAt }
    })
  },

  'user list': async ({ database }: Dependencies, { limit = USUAL_LIMIT, ...filter }: PeopleListing) => ({
    users: await findPeople(database, filter, { limit }),
  }),

  'user show': ({ database }: Dependencies, { login }: { readonly login: string }) => personByLogin(database, login),

  'user close': async ({ database, actor, now }: Command, { login, reason, kind, endAt, closer }: Close) =>
    database.transaction(async (tx) => {
      const account = await accountOf(tx, login)
      const columns = { user_id: account.id, kind, reason, end_at: endAt ?? null }
      const closer_id = closer === undefined ? null : (await accountOf(tx, closer)).id
      return { ...account, close_id: await closeAccount(tx, { ...columns, closer_id }, actor, now) }
    }),

  'user open': async ({ database, actor, now }: Command, { login }: { readonly login: string }) =>
    database.transaction(async (tx) => {
      const account = await accountOf(tx, login)
      await openAccount(tx, account.id, actor, now)
      return account
    }),

  'user anonymize': async ({ database, actor, now }: Command, { login }: { readonly login: string }) => {
    const account = await accountOf(database, login)
    return {
      ...account,
      login: await anonymizeUser(database, { userId: account.id, actor, now }),
      former: account.login,
    }
  },

  'user administrator': async (
    { database, actor, now }: Command,
    { login, isRemoved }: { readonly login: string; readonly isRemoved?: boolean },
  ) =>
    database.transaction(async (tx) => {
      const account = await accountOf(tx, login)
      await (isRemoved ? removeAdministrator : makeAdministrator)(tx, { userId: account.id, actor, now })
      return { ...account, administrator: await isAdministrator(tx, account.id) }
    }),

  'user set-password': async (
    { database, sealing: seal, actor, now }: Command,
    { login, password }: { readonly login: string; readonly password: string },
  ) => {
    const sealing = await seal()
    return database.transaction(async (tx) => {
      const account = await accountOf(tx, login)
      await setPassword(tx, sealing, { userId: account.id, password, actor, now })
      return account
    })
  },

  'user reset-link': async (
    { database, config, actor, now }: Command,
    { login, baseUrl, isMailed }: { readonly login: string; readonly baseUrl: string; readonly isMailed?: boolean },
  ) => {
    if (isMailed) {
      if (!config.mail) throw unprocessable({ base: [NO_MAIL] })
      return database.transaction((tx) => mailPasswordReset(tx, now, { login, actor }))
    }
    const { path, ...reset } = await database.transaction((tx) => createPasswordReset(tx, now, { login, actor }))
    return { login: reset.login, link: baseUrl + path, expires_at: reset.expiresAt }
  },
}

const NO_MAIL = 'No mail server is set: set CAMPUS_MAIL_URL and CAMPUS_MAIL_FROM, or hand the link over without --mail.'

/** How many users a command lists by default. */
const USUAL_LIMIT = 30

type NewPerson = AccountValues & {
  /** What a reset link begins with. */
  readonly baseUrl: string
}

type PeopleListing = UserFilter & { readonly limit?: number | undefined }

type Close = {
  readonly login: string
  readonly reason: string
  readonly kind: string
  readonly endAt?: string | undefined
  /** The login of who has decided it. */
  readonly closer?: string | undefined
}

/** Deliveries to replay: these, or those of a range. */
export type Replay = { readonly ids: readonly number[]; readonly range?: TypedRange | undefined }

/** A range as it was typed, with times as texts. */
type TypedRange = Omit<Range, 'from' | 'to'> & {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

const readRange = ({ from, to, ...range }: TypedRange): Range => ({
  ...range,
  from: from === undefined ? undefined : new Date(from),
  to: to === undefined ? undefined : new Date(to),
})

export type OperationName = keyof typeof operations
export type Arguments<Name extends OperationName> = Parameters<(typeof operations)[Name]>[1]

/** What an operation found or made, as JSON holds it. */
export type Result = Readonly<Record<string, unknown>>

type Operation = (command: Command, values: unknown, progress: Progress) => Promise<object>

/** Runs an operation, and gives its result as JSON holds it. */
export async function runOperation(
  dependencies: Dependencies,
  name: OperationName,
  values: unknown,
  progress: Progress,
): Promise<Result> {
  const operation = operations[name] as Operation
  return JSON.parse(
    JSON.stringify(await operation({ ...dependencies, actor: actingCommand(name), now: new Date() }, values, progress)),
  )
}
