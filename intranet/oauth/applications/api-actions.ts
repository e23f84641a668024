import { type ActionInput, type Created, chosenId } from '@campus/engine/actions'
import type { Handle } from '@campus/engine/database/database'
import { unprocessable } from '@campus/engine/errors'
import { actingCaller } from '../../services/audit/actors.ts'
import { changeApplication } from './change.ts'
import type { ApplicationValues } from './columns.ts'
import { createApplication } from './create.ts'
import { deleteApplication } from './delete.ts'
import { type Rights, setRights } from './rights.ts'

/** Creates an application through the API. The answer alone has its uid and secret. */
export async function createApp(tx: Handle, input: ActionInput): Promise<Created> {
  const { values, caller, now } = input
  const ownerId = typeof values.owner_id === 'number' ? values.owner_id : null
  const { id, uid, secret } = await createApplication(tx, {
    values: { ...columnsIn(input), confidential: values.confidential !== false },
    ...chosenId(values),
    ownerId,
    rights: rightsIn(input),
    actor: actingCaller(caller),
    now,
  })
  return { id, oneTimeValues: { uid, secret } }
}

export async function updateApp(tx: Handle, input: ActionInput): Promise<number> {
  const { id, values, caller, now } = input
  const actor = actingCaller(caller)
  if (values.confidential !== undefined) throw unprocessable({ confidential: ['cannot be changed'] })
  const ownerId = numberIn(values.owner_id)
  await changeApplication(tx, { id, values: columnsIn(input), ownerId, actor, now })
  await setRights(tx, { id, ...rightsIn(input), actor, now })
  return id
}

/** Deletes an application and all of its tokens. */
export async function destroyApp(tx: Handle, { id, caller, now }: ActionInput): Promise<number> {
  await deleteApplication(tx, { id, actor: actingCaller(caller), now })
  return id
}

const PLAIN = [
  ...(['name', 'description', 'website', 'image', 'public', 'authorization_response_iss'] as const),
  ...(['id_token_signed_response_alg', 'subject_type', 'backchannel_logout_uri'] as const),
]
const LISTS = ['redirect_uris', 'post_logout_redirect_uris'] as const

function columnsIn({ values }: ActionInput): ApplicationValues {
  const plain = Object.fromEntries(PLAIN.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
  const { scopes } = values
  const lists = LISTS.flatMap((name) => (values[name] === undefined ? [] : [[name, textsIn(values[name])]]))
  return {
    ...plain,
    ...(scopes === undefined ? {} : { scopes: textsIn(scopes).flatMap((text) => text.split(/[\s,]+/)) }),
    ...Object.fromEntries(lists),
  }
}

function rightsIn({ values }: ActionInput): Rights {
  const { role_ids, rate_per_second, rate_per_hour } = values
  return {
    roleIds: role_ids === undefined ? undefined : listIn(role_ids).map(Number),
    rate_per_second: numberIn(rate_per_second),
    rate_per_hour: numberIn(rate_per_hour),
  }
}

const numberIn = (value: unknown) => (value == null ? (value === null ? null : undefined) : Number(value))

/** Lists come as JSON. */
const listIn = (value: unknown): unknown[] => (typeof value === 'string' ? JSON.parse(value) : [])
const textsIn = (value: unknown) => listIn(value).map(String)
