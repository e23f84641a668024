import { sql } from 'kysely'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { holdsText } from '../database/holds-text.ts'
import { notFound, unprocessable } from '../errors.ts'
import { checkText, ValidationErrors } from '../validation-errors.ts'
import { faultOfName } from './application-names.ts'
import { checkAddress, checkDescription, checkScopes } from './application-values.ts'
import { makeKey, rotateSecret } from './applications.ts'
import { digestOf } from './digests.ts'
import { checkRedirectUris } from './redirect-uris.ts'

/** What a developer says about an application, by column names; in an update what is left out stays. */
export type OwnApplicationValues = {
  readonly name?: string | null | undefined
  readonly description?: string | null | undefined
  readonly website?: string | null | undefined
  readonly image?: string | null | undefined
  readonly scopes?: readonly string[] | undefined
  readonly redirect_uris?: readonly string[] | undefined
  /** Listed for everybody. */
  readonly public?: boolean | undefined
  /** Told who answers its authorization requests (RFC 9207). */
  readonly authorization_response_iss?: boolean | undefined
}

/** A new application; the secret is shown this once, and an application that cannot keep one has none. */
export type NewApplication = { readonly id: number; readonly uid: string; readonly secret: string | null }

const MOST_APPLICATIONS = 50

type Creation = {
  readonly values: OwnApplicationValues & { readonly confidential?: boolean | undefined }
  readonly ownerId: number | null
  readonly actor: Actor
  readonly now: Date
}

/** Registers an application of a person's, or of nobody's. To be run in a transaction. Throws 422. */
export async function registerApplication(
  tx: Handle,
  { values, ownerId, actor, now }: Creation,
): Promise<NewApplication> {
  const { confidential = true } = values
  const columns = checkValues(values, EMPTY, confidential)
  if (ownerId !== null && ownerId === actor.userId) await refuseTooMany(tx, ownerId)
  const { uid, secret } = { uid: makeKey(), secret: confidential ? makeKey() : null }
  const { id } = await tx.kysely
    .insertInto('applications')
    .values({
      ...columns,
      uid,
      secret_digest: secret === null ? null : digestOf(secret),
      confidential,
      owner_id: ownerId,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordAudit(tx, now, { kind: 'application_created', actor, subjectId: ownerId, applicationId: id })
  return { id, uid, secret }
}

type Change = { readonly id: number; readonly actor: Actor; readonly now: Date }

/** Changes what an application says of itself. To be run in a transaction. Throws 404 and 422. */
export async function changeApplication(
  tx: Handle,
  { id, values, actor, now }: Change & { readonly values: OwnApplicationValues },
): Promise<void> {
  const present = await lockApplication(tx, id)
  const columns = checkValues(values, present, present.confidential)
  const changed = Object.keys(columns).filter(
    (name) => JSON.stringify(columns[name as keyof Columns]) !== JSON.stringify(present[name as keyof Columns]),
  )
  if (changed.length === 0) return
  await tx.kysely
    .updateTable('applications')
    .set({ ...columns, updated_at: now })
    .where('id', '=', id)
    .execute()
  const details = { fields: changed.join(', ') }
  await recordAudit(tx, now, {
    kind: 'application_changed',
    actor,
    subjectId: present.owner_id,
    applicationId: id,
    details,
  })
}

/** Days for which a former secret may stay valid: none is for one that has leaked. */
export const GRACE_CHOICES = [7, 1, 0] as const

/** Gives an application a new secret. To be run in a transaction. Throws 404, and 422 where it has none. */
export async function renewSecret(tx: Handle, { id, graceDays, actor, now }: Change & { readonly graceDays: number }) {
  const { uid, owner_id, confidential } = await lockApplication(tx, id)
  if (!confidential) throw unprocessable({ base: ['The application has no secret.'] })
  const rotated = await rotateSecret(tx, uid, now, graceDays)
  const details = { grace_days: String(graceDays) }
  await recordAudit(tx, now, { kind: 'secret_rotated', actor, subjectId: owner_id, applicationId: id, details })
  return rotated
}

/** Removes an application and every token of it. To be run in a transaction. Throws 404. */
export async function removeApplication(tx: Handle, { id, actor, now }: Change): Promise<void> {
  const { owner_id, name } = await lockApplication(tx, id)
  await tx.kysely.deleteFrom('applications').where('id', '=', id).execute()
  // Through which application it was done may have been the application itself.
  const through = actor.applicationId === id ? { ...actor, applicationId: null } : actor
  const event = { kind: 'application_deleted', actor: through, subjectId: owner_id, details: { name } } as const
  await recordAudit(tx, now, event)
}

/** A person's applications, by name. */
export const applicationsOf = (handle: Handle, ownerId: number) =>
  shown(handle).where('owner_id', '=', ownerId).orderBy('applications.name').orderBy('applications.id').execute()

/** One of a person's applications. Throws 404, be it somebody else's or nobody's. */
export async function ownApplication(handle: Handle, ownerId: number, id: number) {
  const found = await shown(handle).where('owner_id', '=', ownerId).where('applications.id', '=', id).executeTakeFirst()
  if (!found) throw noApplication()
  return found
}

/** Those that everybody may see, by name, whose name or owner's login holds the text. */
export const publicApplications = (
  handle: Handle,
  text: string,
  part: { readonly limit: number; readonly offset: number },
) =>
  handle.kysely
    .selectFrom('applications')
    .leftJoin('users', 'users.id', 'applications.owner_id')
    .select(['applications.id', 'name', 'description', 'website', 'scopes', 'users.login as owner'])
    .where('public', '=', true)
    .$if(text.trim() !== '', (query) => query.where(holdsText(text, ['name', 'login'])))
    .orderBy(sql`lower(name)`)
    .orderBy('applications.id')
    .limit(part.limit)
    .offset(part.offset)
    .execute()

/** 404 in the same words for what is not there and for what is not one's own. */
export const noApplication = () => notFound('You have no such application.')

const shown = ({ kysely }: Handle) =>
  kysely
    .selectFrom('applications')
    .select(['id', 'uid', 'name', 'description', 'website', 'image', 'scopes', 'redirect_uris', 'public'])
    .select('authorization_response_iss')
    .select(['confidential', 'owner_id', 'previous_secret_valid_until', 'created_at', 'updated_at'])

async function lockApplication(tx: Handle, id: number) {
  const found = await tx.kysely
    .selectFrom('applications')
    .select(['uid', 'name', 'description', 'website', 'image', 'scopes', 'redirect_uris', 'public'])
    .select(['authorization_response_iss', 'confidential', 'owner_id'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw noApplication()
  return found
}

type Columns = ReturnType<typeof checkValues>
type Present = Required<{ [Name in keyof OwnApplicationValues]: Exclude<OwnApplicationValues[Name], undefined> }>

const EMPTY: Present = {
  name: null,
  description: null,
  website: null,
  image: null,
  scopes: [],
  redirect_uris: [],
  public: false,
  authorization_response_iss: false,
}

/** The columns as they are to be. Throws a 422 that names every error. */
function checkValues(values: OwnApplicationValues, present: Present, confidential: boolean) {
  const errors = new ValidationErrors()
  const wanted = { ...present, ...withoutUndefined(values) }
  const name = checkText(errors, 'name', wanted.name, { required: true, longest: 100 }) ?? ''
  const fault = errors.has('name') || name === present.name ? undefined : faultOfName(name)
  if (fault) errors.add('name', fault)
  const columns = {
    name,
    description: checkDescription(errors, wanted.description),
    website: checkAddress(errors, 'website', wanted.website),
    image: checkAddress(errors, 'image', wanted.image),
    scopes: checkScopes(errors, wanted.scopes),
    redirect_uris: checkRedirectUris(errors, wanted.redirect_uris, { confidential }),
    public: wanted.public,
    authorization_response_iss: wanted.authorization_response_iss,
  }
  if (!confidential && columns.redirect_uris.length === 0) {
    errors.add('redirect_uris', 'must be at least one, since the application has no secret to sign on with by itself')
  }
  errors.throwIfAny()
  return columns
}

function withoutUndefined<T extends object>(values: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

async function refuseTooMany(tx: Handle, ownerId: number): Promise<void> {
  // Whoever registers two at once waits here, so that both are counted.
  await tx.kysely.selectFrom('users').select('id').where('id', '=', ownerId).forNoKeyUpdate().execute()
  const rows = await tx.kysely.selectFrom('applications').select('id').where('owner_id', '=', ownerId).execute()
  if (rows.length < MOST_APPLICATIONS) return
  throw unprocessable({ base: [`You have ${rows.length} applications already; delete one that is not used.`] })
}
