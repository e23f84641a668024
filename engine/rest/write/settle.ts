import type { ActionRequest } from '../action-request.ts'
import type { CreateAction, Resource } from '../declare/declaration.ts'
import { integerKind } from '../declare/fields/kinds.ts'
import type { Engine } from '../engine.ts'
import { findParents, type PathParent, valuesOfPath } from '../read/find.ts'
import { authorizedPart, authorizeOwner } from './authorize.ts'
import { mayChooseId } from './chosen-ids.ts'
import { requireWritable } from './lock.ts'
import { type Parsed, type Payload, parsePayload, readIfSent } from './parse.ts'
import { readWithFiles } from './store-files.ts'
import { type Sent, unwrap } from './unwrap.ts'

export type Update = { readonly namedId: number | undefined; readonly payload: Payload }

/** Returns an error instead of throwing it, since a repeated request gets its first response again. */
export function settleCreation(engine: Engine, resource: Resource, action: CreateAction, request: ActionRequest) {
  return readWithFiles(engine, resource, request, async () => {
    const sent = unwrap(resource, request)
    const parents = await findParents(engine.database, request.parents)
    return { payload: settleOne(engine, resource, action, request, sent, parents), parents }
  })
}

export function settleOne(
  { registry, clock, wire }: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
  sent: Sent,
  parents: readonly PathParent[],
): Payload {
  const given = authorizeOwner(request, sent, parents)
  const payload = parsePayload(registry, resource, sent, {
    creating: true,
    given,
    mayChooseId: mayChooseId(registry, resource, request.caller),
    now: clock.now(),
    wire,
  })
  return authorizedPart(action, request, payload)
}

/** Returns an error instead of throwing it, since a missing record or right is reported first. */
export function settleUpdate(engine: Engine, resource: Resource, request: ActionRequest): Promise<Parsed<Update>> {
  const { database, registry, clock, wire } = engine
  const read = async () => {
    const given = valuesOfPath(await findParents(database, request.parents))
    const sent = unwrap(resource, request)
    const { id } = resource.payload?.accepts.includes('id') ? {} : sent
    const namedId = readIfSent('id', integerKind, id)
    return {
      namedId,
      payload: parsePayload(registry, resource, sent, { creating: false, given, now: clock.now(), wire }),
    }
  }
  return readWithFiles(engine, resource, request, read, () => requireWritable(engine, resource, request))
}
