import type { ActionInput } from '../actions.ts'
import { actingCaller } from '../audit/actors.ts'
import { type Actor, recordAudit } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { holdsRow } from '../database/holds-row.ts'
import { notFound, unprocessable } from '../errors.ts'
import type { SqlValue } from '../rest/declare/fields/kinds.ts'

/** Setting the address of a webservice switches its endpoint on, unless the request says otherwise. */
async function switchOn(tx: Handle, { id, values, now }: ActionInput): Promise<number> {
  const isSwitched = values.active !== undefined
  if (values.url === undefined || isSwitched) return id
  if (await holdsRow(tx, 'endpoints', id, { active: true })) return id
  await tx.kysely
    .updateTable('endpoints')
    .set({ active: true, updated_at: (values.updated_at as string) ?? now })
    .where('id', '=', id)
    .execute()
  return id
}

/** The end of a registration: it is on, and recorded. */
export async function finishRegistration(tx: Handle, input: ActionInput): Promise<number> {
  const id = await switchOn(tx, input)
  const details = { url: String(input.values.url) }
  const event = { kind: 'endpoint_created', actor: actingCaller(input.caller), subjectId: null, details } as const
  await recordAudit(tx, input.now, event)
  return id
}

/** The end of a change: another address switches it on, and what has changed is recorded. */
export async function finishChange(tx: Handle, input: ActionInput): Promise<number> {
  const { values, caller, now } = input
  const id = await switchOn(tx, input)
  const [row] = await tx.rows('select url, updated_at = $2 from endpoints where id = $1', [id, now.toISOString()])
  // What was sent as it stood is no change.
  if (row?.[1] !== 't' && values.updated_at === undefined) return id
  const details = { url: String(row?.[0]), fields: Object.keys(values).join(', ') }
  const event = { kind: 'endpoint_changed', actor: actingCaller(caller), subjectId: null, details } as const
  await recordAudit(tx, now, event)
  return id
}

/** Switches an endpoint on or off by hand. Pending deliveries to one that is switched off are dead. Throws 404 and 422. */
export async function switchEndpoint(
  tx: Handle,
  {
    id,
    active,
    actor,
    now,
  }: { readonly id: number; readonly active: boolean; readonly actor: Actor; readonly now: Date },
): Promise<void> {
  const [endpoint] = await tx.rows('select url, active from endpoints where id = $1 for update', [id])
  if (!endpoint) throw notFound(`There is no endpoint ${id}.`)
  if ((endpoint[1] === 't') === active)
    throw unprocessable({ base: [`It is switched ${active ? 'on' : 'off'} already.`] })
  await tx.rows('update endpoints set active = $2, updated_at = $3 where id = $1', [id, active, now])
  const kind = active ? 'endpoint_switched_on' : 'endpoint_switched_off'
  await recordAudit(tx, now, { kind, actor, subjectId: null, details: { url: String(endpoint[0]) } })
}

/** What is wrong with the address of a webservice, if anything. Whether it may be connected to is checked at every attempt. */
export function addressRule(value: SqlValue): string | undefined {
  const url = URL.parse(String(value))
  if (url?.protocol !== 'https:' || url.username || url.password || url.hash) {
    return 'must be an https:// address without a user name, such as https://users.example.org/hooks'
  }
  return undefined
}
