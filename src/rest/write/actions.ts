import type { Handle } from '../../database/database.ts'
import { errorsWithin, refuseIfAny } from '../../errors.ts'
import type { ActionRequest } from '../action-request.ts'
import { type Answer, noContent, okay } from '../answer.ts'
import type { CreateAction, MemberAction, Resource, WriteAction } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { rendererOf } from '../read/run.ts'
import { authorizedPart, authorizeOwner, requireOwn, valuesOfPath } from './authorize.ts'
import { changesOf, isEmpty } from './changes.ts'
import { asHttpError } from './constraints.ts'
import { findForWriting, findNamed } from './find-for-writing.ts'
import { answerOnce } from './idempotency.ts'
import { refusedOr } from './insert-all.ts'
import { linkToParents } from './link-to-parents.ts'
import { parsePayload } from './parse.ts'
import { type InsertPlan, planDelete, planInsert, planUpdate } from './plan.ts'
import { readParameters } from './read-parameters.ts'
import {
  createdRecord,
  insertAndRepresent,
  listOfCreated,
  representAll,
  representChanged,
  representCreated,
} from './represent.ts'
import { requireBelow } from './require-below.ts'
import { bareInput, inputOf, runPlan, type WriteContext } from './run.ts'
import { storeFiles } from './store-files.ts'
import { namesIn, type Sent, unwrap, unwrapSeveral } from './unwrap.ts'

/** Creates a record: 201 with it and its `Location`. */
export async function create(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  await storeFiles(engine, resource, request, { creating: true })
  return writeOnce(engine, request, async (tx) => {
    const context = contextOf(engine, request)
    const plan = await planCreation(tx, context, resource, action, request, unwrap(resource, request))
    const { caller } = request
    if (action.performSeveral) {
      const ids = await action.performSeveral(tx, await inputOf(tx, plan, context))
      return representAll(tx, engine, resource, ids, caller)
    }
    const made = await insertAndRepresent(tx, engine, plan, action, request, context.now)
    if (made) return made
    const created = await runPlan(tx, plan, context)
    await linkToParents(tx, request, created.id)
    await requireBelow(tx, engine, resource, created.id, request)
    return representCreated(tx, engine, resource, action, created, request)
  })
}

/** Creates several records, all or none: 201 with the list of them; 422 names the failing ones by their place. */
export async function createSeveral(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  return writeOnce(engine, request, async (tx) => {
    const records: string[] = []
    const errors: Record<string, readonly string[]> = {}
    const several = unwrapSeveral(resource, request)
    await action.prepareSeveral?.(tx, several)
    for (const [place, sent] of several.entries()) {
      const context = contextOf(engine, request)
      const made = await refusedOr(tx, context, async () => {
        const plan = await planCreation(tx, context, resource, action, request, sent)
        const { id } = await runPlan(tx, plan, context)
        return createdRecord(tx, engine, resource, id, request.caller)
      })
      if (typeof made === 'string') records.push(made)
      else if (made.status !== 422) throw made
      else Object.assign(errors, errorsWithin(`${resource.name}[${place}]`, made.errors ?? {}))
    }
    refuseIfAny(errors)
    return listOfCreated(records)
  })
}

/** Changes a record: 204, or 200 with it when the client prefers that. */
export async function update(
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  await storeFiles(engine, resource, request, { creating: false })
  return write(engine, async (tx) => {
    const lock = engine.registry.lockFor(resource, namesIn(resource, request))
    const found = await findForWriting(tx, engine, resource, request, lock)
    const context = contextOf(engine, request)
    const { registry, caller, now } = context
    const given = await valuesOfPath(tx, request)
    const sent = parsePayload(registry, resource, unwrap(resource, request), { creating: false, given, now })
    requireOwn(request, sent.values)
    const changes = await changesOf(tx, registry, resource, found, sent, { caller, now })
    const written = authorizedPart(resource, action, request, sent, changes)
    const plan = planUpdate(registry, resource, found, written, action)
    const options = { isLast: !request.prefersRecord }
    // Nobody is told of a change that is none.
    const { id } = isEmpty(written) ? { id: found } : await runPlan(tx, plan, context, options)
    return representChanged(tx, engine, resource, id, request)
  })
}

/** Deletes a record: 204. One that others hang on is 422. */
export async function destroy(
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(engine, async (tx) => {
    const plan = planDelete(resource, await findForWriting(tx, engine, resource, request, 'for update of t'), action)
    await runPlan(tx, plan, contextOf(engine, request))
    return noContent
  })
}

/** An action of the domain on one record: 204, or 200 with what it tells. */
export async function member(
  engine: Engine,
  resource: Resource,
  action: MemberAction,
  request: ActionRequest,
): Promise<Answer> {
  const { namedBy } = action
  const read = () => readParameters(resource.singular, action, request)
  return writeOnce(engine, request, async (tx) => {
    const named = namedBy && read()
    const id = named
      ? await findNamed(tx, engine, resource, request, namedBy, named)
      : await findForWriting(tx, engine, resource, request)
    const input = bareInput(contextOf(engine, request), id, named ?? read())
    await resource.authorize?.(tx, input)
    if ('respond' in action)
      return okay(await action.respond(tx, { ...input, render: rendererOf(engine, request, tx) }))
    await action.perform(tx, input)
    return noContent
  })
}

/** Settles whose a new record is, what it holds, and whether the caller may write that. Throws 403, 404 and 422. */
async function planCreation(
  tx: Handle,
  { registry, now }: WriteContext,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
  sent: Sent,
): Promise<InsertPlan> {
  const given = await authorizeOwner(tx, request, sent)
  const payload = parsePayload(registry, resource, sent, { creating: true, given, now })
  return planInsert(registry, resource, authorizedPart(resource, action, request, payload), action)
}

/** Taken when the record is locked, so that of two writes of it the later one is later. */
function contextOf({ registry, clock }: Engine, { caller, grant }: ActionRequest): WriteContext {
  return { registry, caller, ownOnly: grant.ownAssociation !== undefined, now: clock.now() }
}

/** Runs a write in a transaction; what the database refuses becomes 422 in the client's terms. */
async function write(engine: Engine, work: (tx: Handle) => Promise<Answer>): Promise<Answer> {
  try {
    return await engine.database.transaction(work)
  } catch (error) {
    throw asHttpError(error, engine.registry)
  }
}

/** The same, once for each `Idempotency-Key`. */
const writeOnce = (engine: Engine, { idempotent }: ActionRequest, work: (tx: Handle) => Promise<Answer>) =>
  write(engine, (tx) => answerOnce(tx, engine.clock.now(), idempotent, () => work(tx)))
