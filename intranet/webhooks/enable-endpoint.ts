import type { ActionInput } from '@campus/engine/actions'
import { message } from '@campus/engine/base/languages/say'
import type { Handle } from '@campus/engine/database/database'
import { rowEquals } from '@campus/engine/database/row-equals'
import { notFound, unprocessable } from '@campus/engine/errors'
import { actingCaller } from '../services/audit/actors.ts'
import { type Actor, type AuditKind, recordAudit } from '../services/audit/audit.ts'
import { enabledAfter } from './disabled-endpoints.ts'

/** Enables an endpoint if the sent fields do; a sent `active` is already written. Returns whether a row was changed. */
async function enable(tx: Handle, { id, values, now }: ActionInput): Promise<boolean> {
  if (values.active !== undefined || !enabledAfter(false, { url: values.url })) return false
  // A statement that changes no row would still count as a change of the table.
  if (await rowEquals(tx, 'endpoints', id, { active: true })) return false
  await tx.kysely
    .updateTable('endpoints')
    .set({ active: true, updated_at: values.updated_at == null ? now : String(values.updated_at) })
    .where('id', '=', id)
    .execute()
  return true
}

/** Enables a registered endpoint and records the registration. */
export async function finishRegistration(tx: Handle, input: ActionInput): Promise<number> {
  await enable(tx, input)
  await recordOf(tx, input, 'endpoint_created', {})
  return input.id
}

/** Records a change of an endpoint, after enabling it if `url` was sent. */
export async function finishChange(tx: Handle, input: ActionInput): Promise<number> {
  const isEnabled = await enable(tx, input)
  const changed = new Set(input.changed)
  const isChanged = changed.delete('active') || isEnabled
  if (changed.size > 0) await recordOf(tx, input, 'endpoint_changed', { fields: [...changed].join(', ') })
  if (isChanged) await recordOf(tx, input, auditKindOf(input.values.active !== false), {})
  return input.id
}

const auditKindOf = (isEnabled: boolean) => (isEnabled ? 'endpoint_switched_on' : 'endpoint_switched_off')

async function recordOf(
  tx: Handle,
  { id, caller, now }: ActionInput,
  kind: AuditKind,
  details: Readonly<Record<string, string>>,
): Promise<void> {
  const { url } = await tx.kysely.selectFrom('endpoints').select('url').where('id', '=', id).executeTakeFirstOrThrow()
  await recordAudit(tx, now, { kind, actor: actingCaller(caller), subjectId: null, details: { url, ...details } })
}

type Switch = { readonly id: number; readonly isEnabled: boolean; readonly actor: Actor; readonly now: Date }

/** Enables or disables an endpoint by hand. Throws 404 and 422. */
export async function setEndpointEnabled(tx: Handle, { id, isEnabled, actor, now }: Switch): Promise<void> {
  const endpoint = await tx.kysely
    .selectFrom('endpoints')
    .select(['url', 'active'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!endpoint) throw notFound(message('There is no endpoint {id}.', { id }))
  if (endpoint.active === isEnabled)
    throw unprocessable({
      base: [message('It is switched {state} already.', { state: message(isEnabled ? 'on' : 'off') })],
    })
  await tx.kysely.updateTable('endpoints').set({ active: isEnabled, updated_at: now }).where('id', '=', id).execute()
  await recordAudit(tx, now, {
    kind: auditKindOf(isEnabled),
    actor,
    subjectId: null,
    details: { url: endpoint.url },
  })
}
