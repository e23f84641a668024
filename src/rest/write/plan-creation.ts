import type { ActionRequest } from '../action-request.ts'
import type { CreateAction, Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { findParents, type PathParent } from '../read/find.ts'
import { authorizedPart, authorizeOwner } from './authorize.ts'
import { mayChooseId } from './chosen-ids.ts'
import { type Parsed, parsePayload, refusalIn } from './parse.ts'
import { type InsertPlan, planInsert } from './plan.ts'
import { readWithFiles } from './store-files.ts'
import { type Sent, unwrap } from './unwrap.ts'

/** A new record as it is going to be written, and the parents in its path. */
type Creation = { readonly plan: InsertPlan; readonly parents: readonly PathParent[] }

/**
 * Plans a new record before the transaction in which it is written; gives the refusal (400, 403, 404, 422) rather than throwing it,
 * since a repeated request is answered as the first one was. What is deleted between the plan and the write is refused by the database.
 */
export async function planCreation(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Parsed<Creation>> {
  const read = () => plan(engine, resource, action, request).catch(refusalIn)
  return resource.payload?.files ? readWithFiles(engine, resource, request, read) : read()
}

async function plan(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Creation> {
  const sent = unwrap(resource, request)
  const parents = await findParents(engine.database, request.parents)
  return { plan: planOne(engine, resource, action, request, sent, parents), parents }
}

/** Settles whose a new record is, what it holds, and whether the caller may write that. Throws 403 and 422. */
export function planOne(
  { registry, clock, wire }: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
  sent: Sent,
  parents: readonly PathParent[],
): InsertPlan {
  const given = authorizeOwner(request, sent, parents)
  const payload = parsePayload(registry, resource, sent, {
    creating: true,
    given,
    mayChooseId: mayChooseId(resource, request.caller),
    now: clock.now(),
    wire,
  })
  return planInsert(registry, resource, authorizedPart(resource, action, request, payload), action)
}
