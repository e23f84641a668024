import { randomBytes } from 'node:crypto'
import type { ActionInput } from '@campus/engine/actions'
import { type Message, message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { accessDenied, notFound, unprocessable } from '@campus/engine/errors'
import { checkText, ValidationErrors } from '@campus/engine/validation-errors'
import { sql } from 'kysely'
import { hasRole } from '../../access/roles.ts'
import { type Actor, type AuditKind, recordAudit } from '../../services/audit/audit.ts'
import type { Sealer } from '../../services/sealing/sealer.ts'
import type { Model, Models } from '../../webhooks/applications/models.ts'
import { refuseTooManyQueued } from '../../webhooks/applications/queued-by-hand.ts'
import { addressRule } from '../../webhooks/delivery-request.ts'
import { enabledAfter } from '../../webhooks/disabled-endpoints.ts'
import { lockApplication, requirePowerOverOwner } from './lock.ts'
import { refuseTooManyWebhooks } from './owner-limits.ts'

export type Subscribing = {
  readonly models: () => Models
  readonly sealer: Sealer
  /** Resolves when changes of these tables go into the change feed. */
  capture(tx: Handle, tables: readonly string[]): Promise<void>
}

type ByWhom = { readonly actor: Actor; readonly now: Date }

export type WebhookValues = {
  readonly url?: string | undefined
  readonly description?: string | null | undefined
  readonly secret?: string | null | undefined
  readonly isEnabled?: boolean | undefined
}

type NewWebhook = Omit<WebhookValues, 'url'> & {
  /** The id that staff chose. */
  readonly id?: number | undefined
  readonly applicationId: number
  readonly model: string
  readonly event: string
  readonly url: string
  readonly campusId?: number | null | undefined
}

/** Maximum number of webhooks of an application. */
const MAX_WEBHOOKS = 20
const MAX_TEXT_LENGTH = 2048
/** Shorter secrets could be guessed. */
const SECRET_LENGTH = { min: 8, max: 255 }

/** In the form of Standard Webhooks. */
const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Subscribes an application to a change. Returns the secret only if it was made here. Must run in a transaction. Throws 403,
 * 404 and 422.
 */
export async function createWebhook(
  tx: Handle,
  { id: chosenId, applicationId, model, event, url, campusId = null, ...values }: NewWebhook,
  { models, sealer, capture, actor, now }: Subscribing & ByWhom,
): Promise<{ readonly id: number; readonly secret: string | null }> {
  const { owner_id } = await lockApplication(tx, applicationId)
  await requirePowerOverOwner(tx, actor, owner_id)
  const errors = new ValidationErrors()
  const chosen = checkChange(errors, models(), { model, event, campusId })
  checkValues(errors, { ...values, url })
  await checkCampus(tx, errors, campusId)
  errors.throwIfAny()
  await refuseTooManyInApplication(tx, applicationId)
  if (owner_id !== null) await refuseTooManyWebhooks(tx, owner_id, 1)
  await capture(tx, chosen ? [chosen.resource.table] : [])
  const made = values.secret == null ? makeSecret() : null
  const { id } = await tx.kysely
    .insertInto('webhooks')
    .values({
      ...(chosenId !== undefined && { id: chosenId }),
      application_id: applicationId,
      model,
      relation: chosen?.resource.table ?? '',
      event,
      campus_id: campusId,
      url,
      secret: sealer.seal('webhooks.secret', values.secret ?? made ?? ''),
      description: values.description ?? null,
      active: values.isEnabled ?? true,
      since: sql<string>`(select position from feed_relay)`,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await recordOf(tx, 'webhook_created', { id, ownerId: owner_id, actor, now })
  return { id, secret: made }
}

/** Changes a webhook. Must run in a transaction. Throws 403, 404 and 422. */
export async function changeWebhook(
  tx: Handle,
  id: number,
  values: WebhookValues,
  { sealer, actor, now }: Pick<Subscribing, 'sealer'> & ByWhom,
): Promise<void> {
  const { owner_id, ...present } = await lockWebhook(tx, id, actor)
  const errors = new ValidationErrors()
  checkValues(errors, values)
  errors.throwIfAny()
  const { secret, url = present.url, description = present.description } = values
  const isEnabled = enabledAfter(present.active, { url: values.url, active: values.isEnabled })
  const isSame = url === present.url && description === present.description && isEnabled === present.active
  if (isSame && secret == null) return
  await tx.kysely
    .updateTable('webhooks')
    .set({
      url,
      description,
      active: isEnabled,
      ...(secret != null && { secret: sealer.seal('webhooks.secret', secret) }),
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
  await recordOf(tx, 'webhook_changed', { id, ownerId: owner_id, actor, now })
}

/** Must run in a transaction. Throws 403 and 404. */
export async function deleteWebhook(tx: Handle, id: number, { actor, now }: ByWhom): Promise<void> {
  const { owner_id } = await lockWebhook(tx, id, actor)
  await recordOf(tx, 'webhook_deleted', { id, ownerId: owner_id, actor, now })
  await tx.kysely.deleteFrom('webhooks').where('id', '=', id).execute()
}

/**
 * Makes a delivery of the newest record that the webhook is about. Must run in a transaction. Throws 403, 404, 422, and 429 if
 * too many are pending.
 */
export async function testWebhook(
  tx: Handle,
  id: number,
  { models, actor, now }: Pick<Subscribing, 'models'> & ByWhom,
): Promise<number> {
  const { active: isEnabled, relation, model } = await lockWebhook(tx, id, actor)
  if (!isEnabled) throw unprocessable({ webhook: ['is switched off; setting its url or active switches it on'] })
  await refuseTooManyQueued(tx, id)
  const isOfCampus = models().get(model)?.isOfCampus ?? 'false'
  const { rows } = await sql<{ id: number }>`
    select r.id from ${sql.table(relation)} r join webhooks w on w.id = ${id}
    where w.campus_id is null or (${sql.raw(isOfCampus)}) order by r.id desc limit 1`.execute(tx.kysely)
  const record_id = rows[0]?.id
  if (record_id === undefined) throw unprocessable({ base: ['There is no record yet that it could be tested with.'] })
  const delivery = await tx.kysely
    .insertInto('webhook_deliveries')
    .values({ webhook_id: id, record_id, due_at: now, created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return delivery.id
}

/**
 * An `authorize` for webhooks. People without the role manage their own applications, each by a token of that application: its
 * webhooks show what it may see, which is not for another application. Throws 403.
 */
export async function authorizeWebhook(
  tx: Handle,
  { id, values, caller }: Pick<ActionInput, 'id' | 'values' | 'caller'>,
): Promise<void> {
  if (hasRole(caller, 'Advanced Staff')) return
  const present =
    id === 0
      ? undefined
      : await tx.kysely.selectFrom('webhooks').select('application_id').where('id', '=', id).executeTakeFirst()
  const applicationId = present?.application_id ?? values.application_id
  const owner =
    typeof applicationId === 'number'
      ? await tx.kysely.selectFrom('applications').select('owner_id').where('id', '=', applicationId).executeTakeFirst()
      : undefined
  const { resourceOwnerId, application } = caller
  if (owner?.owner_id == null || owner.owner_id !== resourceOwnerId || application.id !== applicationId)
    throw accessDenied(
      'You are not authorized to access this page. Webhooks are managed with a token of the application itself, by its owner only.',
    )
}

/** Returns the webhooks of an application without secrets, the oldest first. */
export const webhooksOf = (handle: Handle, applicationId: number) =>
  shown(handle).where('application_id', '=', applicationId).orderBy('webhooks.id').execute()

/** Throws 404. */
export async function findWebhook(handle: Handle, id: number) {
  const found = await shown(handle).where('webhooks.id', '=', id).executeTakeFirst()
  if (!found) throw noWebhook()
  return found
}

const noWebhook = () => notFound('There is no such webhook.')

const shown = ({ kysely }: Handle) =>
  kysely
    .selectFrom('webhooks')
    .select(['id', 'application_id', 'model', 'event', 'campus_id', 'url', 'description', 'active'])
    .select(['switched_off_at', 'switched_off_because', 'created_at', 'updated_at'])

/** Reads and locks a webhook. Throws 403 and 404. */
export async function lockWebhook(tx: Handle, id: number, actor: Actor) {
  const found = await tx.kysely
    .selectFrom('webhooks')
    .select(['application_id', 'model', 'relation', 'active', 'url', 'description'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!found) throw noWebhook()
  const owner = await tx.kysely
    .selectFrom('applications')
    .select('owner_id')
    .where('id', '=', found.application_id)
    .executeTakeFirst()
  await requirePowerOverOwner(tx, actor, owner?.owner_id ?? null)
  return { ...found, owner_id: owner?.owner_id ?? null }
}

type Chosen = Pick<NewWebhook, 'model' | 'event' | 'campusId'>

function checkChange(errors: ValidationErrors, models: Models, { model, event, campusId }: Chosen): Model | undefined {
  const chosen = models.get(model)
  if (!chosen) {
    for (const choices of choicesOf(models)) errors.add('model', message('must be one of {choices}', { choices }))
    return undefined
  }
  if (!Object.hasOwn(chosen.events, event))
    errors.add('event', message('must be one of {choices}', { choices: Object.keys(chosen.events).join(', ') }))
  if (campusId === null) return chosen
  if (chosen.isOfCampus === undefined) errors.add('campus_id', message('does not go with {model}', { model }))
  // The campus of a deleted record is not known.
  else if (event === 'destroy') errors.add('campus_id', message('does not go with {model}', { model: event }))
  return chosen
}

/** Returns the names in two parts, since a long error is cut. */
function choicesOf(models: Models): readonly string[] {
  const names = [...models.keys()].sort()
  const middle = Math.ceil(names.length / 2)
  return [names.slice(0, middle).join(', '), names.slice(middle).join(', ')]
}

function checkValues(errors: ValidationErrors, { url, description, secret }: WebhookValues): void {
  checkText(errors, 'url', url, { maxLength: MAX_TEXT_LENGTH })
  checkText(errors, 'description', description, { maxLength: MAX_TEXT_LENGTH })
  const fault: Message | undefined = url === undefined ? undefined : addressRule(url)
  if (fault !== undefined) errors.add('url', fault)
  if (secret == null) return
  const { min, max } = SECRET_LENGTH
  if (secret.length < min) errors.add('secret', message('is too short (minimum is {least} characters)', { least: min }))
  if (secret.length > max) errors.add('secret', message('is too long (maximum is {most} characters)', { most: max }))
  // The secret is sent in a header.
  if (!/^[\x21-\x7e]+$/.test(secret)) errors.add('secret', 'must be letters, digits and signs of ASCII without blanks')
}

async function checkCampus(tx: Handle, errors: ValidationErrors, campusId: number | null): Promise<void> {
  if (campusId === null) return
  const found = await tx.kysely.selectFrom('campus').select('id').where('id', '=', campusId).executeTakeFirst()
  if (!found) errors.add('campus_id', message('must be the id of a {table}', { table: 'campus' }))
}

/** Throws 422 if the application has the maximum number of webhooks. The caller has locked the application. */
async function refuseTooManyInApplication(tx: Handle, applicationId: number): Promise<void> {
  const present = await tx.kysely
    .selectFrom('webhooks')
    .select('id')
    .where('application_id', '=', applicationId)
    .limit(MAX_WEBHOOKS)
    .execute()
  if (present.length >= MAX_WEBHOOKS)
    throw unprocessable({
      base: [message('An application has {most} webhooks at most. Delete one first.', { most: MAX_WEBHOOKS })],
    })
}

type Recorded = ByWhom & { readonly id: number; readonly ownerId: number | null }

async function recordOf(tx: Handle, kind: AuditKind, { id, ownerId, actor, now }: Recorded): Promise<void> {
  const { application_id: applicationId, model, event, url } = await findWebhook(tx, id)
  const details = { model, event, url }
  await recordAudit(tx, now, { kind, actor, subjectId: ownerId, applicationId, details })
}
