import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Handle } from '../database/database.ts'
import { notFound, unprocessable } from '../errors.ts'
import { checkText, ValidationErrors } from '../validation-errors.ts'
import { checkRate, checkScopes, findRoles } from './application-values.ts'
import { digestOf } from './digests.ts'
import { revokeTokensOf } from './families.ts'
import { checkRedirectUris } from './redirect-uris.ts'

/** What an operator says about an application, by column names; `owner` is a login. */
export type ApplicationValues = {
  readonly name: string
  readonly scopes?: readonly string[] | undefined
  readonly roles?: readonly string[] | undefined
  readonly redirect_uris?: readonly string[] | undefined
  readonly rate_per_second?: number | undefined
  readonly rate_per_hour?: number | undefined
  readonly owner?: string | undefined
}

/** True unless said; false for a program that cannot keep a secret, such as one on a telephone: it gets none. */
type Confidential<Value extends boolean> = { readonly confidential?: Value | undefined }

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
}

/** The secret in clear: it is given once, and only its digest is kept. */
type WithSecret<Secret> = { readonly secret: Secret }

/** How long an application's former secret is accepted unless said, so that developers change it without an outage. */
export const GRACE_PERIOD_DAYS = 7

/** Registers an application. To be run in a transaction. Throws 422. */
export async function createApplication(
  tx: Handle,
  values: ApplicationValues & Confidential<true>,
): Promise<Application & WithSecret<string>>
export async function createApplication(
  tx: Handle,
  values: ApplicationValues & Confidential<boolean>,
): Promise<Application & WithSecret<string | null>>
export async function createApplication(
  tx: Handle,
  values: ApplicationValues & Confidential<boolean>,
): Promise<Application & WithSecret<string | null>> {
  const errors = new ValidationErrors()
  const name = checkText(errors, 'name', values.name, { required: true }) ?? ''
  const scopes = checkScopes(errors, values.scopes ?? [])
  const redirect_uris = checkRedirectUris(errors, values.redirect_uris ?? [], {
    confidential: values.confidential ?? true,
  })
  const rate_per_second = checkRate(errors, 'rate_per_second', values.rate_per_second)
  const rate_per_hour = checkRate(errors, 'rate_per_hour', values.rate_per_hour)
  const roleIds = await findRoles(tx, errors, values.roles ?? [])
  const owner_id = await findOwner(tx, errors, values.owner)
  errors.throwIfAny()

  const { confidential = true } = values
  const { uid, secret } = { uid: makeKey(), secret: confidential ? makeKey() : null }
  const { id } = await tx.kysely
    .insertInto('applications')
    .values({
      name,
      uid,
      secret_digest: secret === null ? null : digestOf(secret),
      confidential,
      scopes,
      redirect_uris,
      rate_per_second,
      rate_per_hour,
      owner_id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (roleIds.length > 0) {
    const rows = roleIds.map((role_id) => ({ application_id: id, role_id }))
    await tx.kysely.insertInto('application_roles').values(rows).execute()
  }
  const application = await describe(tx).where('applications.id', '=', id).executeTakeFirstOrThrow()
  return { ...application, secret }
}

/** Every application, the oldest first. */
export const listApplications = (handle: Handle): Promise<Application[]> =>
  describe(handle).orderBy('applications.id').execute()

/**
 * Gives an application a new secret; the former one is accepted for the grace period. Without one, every token and code
 * that the application got under it ends too. To be run in a transaction. Throws 404 and 422.
 */
export async function rotateSecret(tx: Handle, uid: string, now: Date, graceDays = GRACE_PERIOD_DAYS) {
  const secret = makeKey()
  const validUntil = new Date(now.getTime() + graceDays * 86_400_000)
  const row = await tx.kysely
    .updateTable('applications')
    .set(({ ref }) => ({
      previous_secret_digest: graceDays === 0 ? null : ref('secret_digest'),
      previous_secret_valid_until: graceDays === 0 ? null : validUntil,
      secret_digest: digestOf(secret),
      updated_at: now,
    }))
    .where('uid', '=', uid)
    .where('confidential', '=', true)
    .returning(['id', 'uid', 'name', 'previous_secret_valid_until'])
    .executeTakeFirst()
  if (!row) throw await unchangedSecret(tx, uid)
  if (graceDays === 0) await revokeTokensOf(tx, now, row.id)
  return { ...row, secret }
}

async function unchangedSecret(handle: Handle, uid: string): Promise<Error> {
  const row = await handle.kysely.selectFrom('applications').select('id').where('uid', '=', uid).executeTakeFirst()
  return row
    ? unprocessable({ base: ['This application has no secret, since it cannot keep one.'] })
    : unknownApplication()
}

/** Removes an application and every token of it. Throws 404. */
export async function deleteApplication(handle: Handle, uid: string) {
  const row = await handle.kysely
    .deleteFrom('applications')
    .where('uid', '=', uid)
    .returning(['id', 'uid', 'name'])
    .executeTakeFirst()
  if (!row) throw unknownApplication()
  return row
}

/** Whether `secret` is the present secret of the application. */
export async function isCurrentSecret(
  handle: Handle,
  { uid, secret }: { uid: string; secret: string },
): Promise<boolean> {
  const row = await handle.kysely
    .selectFrom('applications')
    .select('id')
    .where('uid', '=', uid)
    .where('secret_digest', '=', digestOf(secret))
    .executeTakeFirst()
  return row !== undefined
}

/** Hex digits only, 256 random bits. */
export const makeKey = () => randomBytes(32).toString('hex')

/** Does not repeat what was asked for: people paste a secret where the uid belongs. */
const unknownApplication = () => notFound('No application has this uid; "campus app list" shows them all.')

const describe = ({ kysely }: Handle) =>
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
    .select(['users.login as owner', 'applications.created_at'])

async function findOwner(handle: Handle, errors: ValidationErrors, login: string | undefined): Promise<number | null> {
  if (login === undefined) return null
  const user = await handle.kysely.selectFrom('users').select('id').where('login', '=', login).executeTakeFirst()
  if (!user) errors.add('owner', 'must be the login of a user')
  return user?.id ?? null
}
