import { message } from '@campus/engine/base/languages/say'
import { typedCommand } from '@campus/engine/base/text/typed-command'
import type { Handle } from '@campus/engine/database/database'
import { sameName } from '@campus/engine/database/same-name'
import { notFound } from '@campus/engine/errors'
import { ValidationErrors } from '@campus/engine/validation-errors'
import { sql } from 'kysely'
import type { Actor } from '../../services/audit/audit.ts'
import { callsByHour } from '../call-counts.ts'
import { changeApplication } from './change.ts'
import { createApplication } from './create.ts'
import { setRights } from './rights.ts'
import { checkRate, findRoles } from './values.ts'

/** Values that an operator sets, by column name. Roles are names, and `owner` is a login. */
export type NamedValues = {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly website?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  readonly redirect_uris?: readonly string[] | undefined
  /** Null for the rate of its roles. */
  readonly rate_per_second?: number | null | undefined
  readonly rate_per_hour?: number | null | undefined
  /** Null for no owner. */
  readonly owner?: string | null | undefined
}

/** An application as an operator sees it. */
export type Application = {
  readonly id: number
  readonly uid: string
  readonly name: string
  readonly scopes: readonly string[]
  readonly roles: readonly string[]
  readonly redirect_uris: readonly string[]
  readonly confidential: boolean
  readonly rate_per_second: number | null
  readonly rate_per_hour: number | null
  readonly owner: string | null
  readonly created_at: Date
  readonly description: string | null
  readonly website: string | null
}

type ByWhom = { readonly actor: Actor; readonly now: Date }

/** Creates an application from names. Must run in a transaction. Throws 422 with every error. */
export async function createNamedApplication(
  tx: Handle,
  values: NamedValues & { readonly confidential?: boolean | undefined },
  { actor, now }: ByWhom,
): Promise<Application & { readonly secret: string | null }> {
  const { roles = [], owner, rate_per_second, rate_per_hour, ...columns } = values
  const errors = new ValidationErrors()
  const rights = { roleIds: await findRoles(tx, errors, roles), rate_per_second, rate_per_hour }
  const ownerId = (await findOwner(tx, errors, owner)) ?? null
  const { id, secret } = await createApplication(tx, { values: columns, ownerId, rights, actor, now, errors })
  return { ...(await described(tx).where('applications.id', '=', id).executeTakeFirstOrThrow()), secret }
}

/** Changes the named values of an application. Must run in a transaction. Throws 404, and 422 with every error. */
export async function changeNamedApplication(
  tx: Handle,
  { uid, ...values }: NamedValues & { readonly uid: string },
  { actor, now }: ByWhom,
): Promise<Application> {
  const { id } = await applicationOf(tx, uid)
  const { roles, owner, rate_per_second, rate_per_hour, ...columns } = values
  const errors = new ValidationErrors()
  const roleIds = roles && (await findRoles(tx, errors, roles))
  const ownerId = await findOwner(tx, errors, owner)
  checkRate(errors, 'rate_per_second', rate_per_second)
  checkRate(errors, 'rate_per_hour', rate_per_hour)
  await changeApplication(tx, { id, values: columns, ownerId, actor, now, errors })
  await setRights(tx, { id, roleIds, rate_per_second, rate_per_hour, actor, now })
  return described(tx).where('applications.id', '=', id).executeTakeFirstOrThrow()
}

/** Returns an application with its calls of the last two weeks. Throws 404. */
export async function describeApplication(handle: Handle, uid: string, now: Date) {
  const { id } = await applicationOf(handle, uid)
  const application = await described(handle).where('applications.id', '=', id).executeTakeFirstOrThrow()
  const hours = await callsByHour(handle, id, { now, hours: SHOWN_HOURS })
  const sum = (count: 'made' | 'refused') => hours.reduce((total, hour) => total + hour[count], 0)
  return { ...application, calls_in_two_weeks: sum('made'), refused_in_two_weeks: sum('refused') }
}

const SHOWN_HOURS = 14 * 24

/** Returns all applications, the oldest first. */
export const listApplications = (handle: Handle): Promise<Application[]> =>
  described(handle).orderBy('applications.id').execute()

/** Finds an application by its uid. The 404 does not repeat the uid: people paste a secret instead. */
export async function applicationOf(handle: Handle, uid: string) {
  const found = await handle.kysely
    .selectFrom('applications')
    .select(['id', 'uid', 'name'])
    .where('uid', '=', uid)
    .executeTakeFirst()
  if (!found)
    throw notFound(
      message('No application has this uid; "{command}" shows them all.', { command: typedCommand('app list') }),
    )
  return found
}

/** Returns the id of the owner, null for no owner, or undefined if none is given. */
async function findOwner(
  handle: Handle,
  errors: ValidationErrors,
  login: string | null | undefined,
): Promise<number | null | undefined> {
  if (login === undefined || login === null) return login
  const user = await handle.kysely.selectFrom('users').select('id').where(sameName('login', login)).executeTakeFirst()
  if (!user) errors.add('owner', 'must be the login of a user')
  return user?.id ?? null
}

const described = ({ kysely }: Handle) =>
  kysely
    .selectFrom('applications')
    .leftJoin('users', 'users.id', 'applications.owner_id')
    .select(['applications.id', 'applications.uid', 'applications.name', 'applications.scopes'])
    .select(
      sql<string[]>`array(
        select roles.name from application_roles join roles on roles.id = application_roles.role_id
        where application_roles.application_id = applications.id order by roles.id
      )`.as('roles'),
    )
    .select(['applications.redirect_uris', 'applications.confidential'])
    .select(['applications.rate_per_second', 'applications.rate_per_hour'])
    .select(['users.login as owner', 'applications.created_at', 'applications.description', 'applications.website'])
