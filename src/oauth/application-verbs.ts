import type { Actor } from '../audit/audit.ts'
import type { Handle } from '../database/database.ts'
import { unprocessable } from '../errors.ts'
import type { Created, WriteInput } from '../rest/declare/resource.ts'
import { grantRoles, setRates } from './application-rights.ts'
import {
  changeApplication,
  type OwnApplicationValues,
  registerApplication,
  removeApplication,
} from './own-applications.ts'

/** Registers an application through the API; its uid and secret are in the answer and nowhere else. */
export async function createApp(tx: Handle, input: WriteInput): Promise<Created> {
  const { values, now } = input
  const actor = actorOf(input)
  const ownerId = typeof values.owner_id === 'number' ? values.owner_id : null
  const confidential = values.confidential !== false
  const made = await registerApplication(tx, {
    values: { ...ownValues(input), confidential },
    ownerId,
    actor,
    now,
  })
  await setRights(tx, { ...input, id: made.id }, actor)
  return { id: made.id, once: { uid: made.uid, secret: made.secret } }
}

/** Changes an application through the API. */
export async function updateApp(tx: Handle, input: WriteInput): Promise<number> {
  const { id, values, now } = input
  const actor = actorOf(input)
  if (values.confidential !== undefined) throw unprocessable({ confidential: ['cannot be changed'] })
  if (values.owner_id !== undefined) {
    const owner_id = values.owner_id as number | null
    await tx.kysely.updateTable('applications').set({ owner_id, updated_at: now }).where('id', '=', id).execute()
  }
  await changeApplication(tx, { id, values: ownValues(input), actor, now })
  await setRights(tx, input, actor)
  return id
}

/** Removes an application through the API, and with it every token of it. */
export async function destroyApp(tx: Handle, input: WriteInput): Promise<number> {
  await removeApplication(tx, { id: input.id, actor: actorOf(input), now: input.now })
  return input.id
}

const actorOf = ({ caller }: WriteInput): Actor => ({
  userId: caller.resourceOwnerId,
  applicationId: caller.application.id,
})

const OWN = ['name', 'description', 'website', 'image', 'public', 'authorization_response_iss'] as const

function ownValues({ values }: WriteInput): OwnApplicationValues {
  const plain = Object.fromEntries(OWN.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
  const { scopes, redirect_uris } = values
  return {
    ...plain,
    ...(scopes === undefined ? {} : { scopes: textsIn(scopes).flatMap((text) => text.split(/[\s,]+/)) }),
    ...(redirect_uris === undefined ? {} : { redirect_uris: textsIn(redirect_uris) }),
  }
}

async function setRights(tx: Handle, { id, values, now }: WriteInput, actor: Actor): Promise<void> {
  const { role_ids, rate_per_second, rate_per_hour } = values
  if (role_ids !== undefined) await grantRoles(tx, { id, roleIds: listIn(role_ids).map(Number), actor, now })
  if (rate_per_second === undefined && rate_per_hour === undefined) return
  const present = await tx.kysely
    .selectFrom('applications')
    .select(['rate_per_second', 'rate_per_hour'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const given = Object.fromEntries(
    Object.entries({ rate_per_second, rate_per_hour }).filter(([, rate]) => rate !== undefined),
  )
  await setRates(tx, { ...present, ...given, id, actor, now })
}

/** Lists come as JSON; null is a blank one. */
const listIn = (value: unknown): unknown[] => (typeof value === 'string' ? JSON.parse(value) : [])
const textsIn = (value: unknown) => listIn(value).map(String)
