import type { Message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { errorsWithin, refuseIfAny, unprocessable } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import type { ActionRequest } from '../action-request.ts'
import { type Answer, noContent, okay } from '../answer.ts'
import {
  type CreateAction,
  createRepresentation,
  embeddedOnly,
  type MemberAction,
  type Resource,
  type WriteAction,
} from '../declare/declaration.ts'
import { integerKind } from '../declare/fields/kinds.ts'
import type { Engine } from '../engine.ts'
import { findParents } from '../read/find.ts'
import { rendererOf, runRecords } from '../read/run.ts'
import { requestContext } from '../request-context.ts'
import { authorizedPart, requireOwn, valuesOfPath } from './authorize.ts'
import { changesOf, isEmpty } from './changes.ts'
import { asHttpError } from './constraints.ts'
import { findForWriting, findNamed } from './find-for-writing.ts'
import { answerOnce } from './idempotency.ts'
import { refusedOr } from './insert-all.ts'
import { linkToParents } from './link-to-parents.ts'
import { attempt, orThrow, parsePayload, readIfSent, refusalIn } from './parse.ts'
import { planDelete, planUpdate } from './plan.ts'
import { planCreation, planOne } from './plan-creation.ts'
import { requirePreconditions } from './preconditions.ts'
import { readParameters } from './read-parameters.ts'
import { sameAs } from './read-payload.ts'
import { reportWrite } from './report-write.ts'
import { createdRecord, insertAndRepresent, listOfCreated, representChanged, representCreated } from './represent.ts'
import { bareInput, inputOf, runPlan, type WriteContext } from './run.ts'
import { readWithFiles } from './store-files.ts'
import { namesIn, unwrap, unwrapSeveral } from './unwrap.ts'

/** Creates a record: 201 with it and its `Location`. */
export async function create(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  const planned = await planCreation(engine, resource, action, request)
  return writeOnce(engine, request, async (context) => {
    const { plan, parents } = orThrow(planned)
    if (action.performSeveral) {
      const ids = await action.performSeveral(context.handle, await inputOf(plan, context))
      for (const id of ids) await reportWrite(context, resource, { id, action: 'create', plan })
      return listOfCreated(await runRecords(context, resource, createRepresentation(resource), ids))
    }
    const made = context.caller.onWrite ? undefined : await insertAndRepresent(context, plan, action, request)
    if (made) return made
    const created = await runPlan(plan, context)
    await linkToParents(context, resource, parents, created.id)
    await reportWrite(context, resource, { id: created.id, action: 'create', plan })
    return representCreated(context, resource, action, created, request)
  })
}

/** Creates several records, all or none: 201 with the list of them; 422 names the failing ones by their place. */
export async function createSeveral(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  const several = attempt(() => unwrapSeveral(resource, request))
  return writeOnce(engine, request, async (context) => {
    const records: string[] = []
    const errors: Record<string, readonly Message[]> = {}
    await action.prepareSeveral?.(context.handle, orThrow(several))
    for (const [place, sent] of orThrow(several).entries()) {
      const made = await refusedOr(context, async () => {
        const plan = planOne(engine, resource, action, request, sent, [])
        const { id } = await runPlan(plan, context)
        await reportWrite(context, resource, { id, action: 'create', plan })
        return createdRecord(context, resource, id)
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
  const { registry, clock, wire } = engine
  const parse = async () => {
    const given = valuesOfPath(await findParents(engine.database, request.parents))
    const sent = unwrap(resource, request)
    const { id } = resource.payload?.accepts.includes('id') ? {} : sent
    const namedId = readIfSent('id', integerKind, id)
    const options = { creating: false, given, now: clock.now(), wire }
    return { namedId, payload: parsePayload(registry, resource, sent, options) }
  }
  const read = () => parse().catch(refusalIn)
  const mayStore = () => findForWriting(requestContext(engine, request.caller), resource, request, '')
  const parsed = await (resource.payload?.files ? readWithFiles(engine, resource, request, read, mayStore) : read())
  return write(engine, request, async (tx) => {
    const found = await findForWriting(tx, resource, request, registry.lockFor(resource, namesIn(resource, request)))
    const context = sinceLocked(tx)
    const { namedId, payload: sent } = orThrow(parsed)
    if (namedId !== undefined && namedId !== found) throw unprocessable({ id: [sameAs('path', found)] })
    requireOwn(request, sent.values)
    const changes = await changesOf(context, resource, found, sent, context)
    const written = authorizedPart(resource, action, request, sent, changes)
    await requirePreconditions(context, resource, found, request)
    const plan = planUpdate(registry, resource, found, written, action)
    const options = { isLast: !request.prefersRecord && !request.caller.onWrite }
    // Without a change nothing is written, so that there is no event.
    if (isEmpty(written)) return representChanged(context, resource, found, request)
    const { id } = await runPlan(plan, context, options)
    await reportWrite(context, resource, { id, action: 'update', plan })
    return representChanged(context, resource, id, request)
  })
}

/** Deletes a record: 204. One that others refer to is 422. */
export async function destroy(
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(engine, request, async (tx) => {
    const id = await findForWriting(tx, resource, request, 'for update of t')
    await requirePreconditions(tx, resource, id, request)
    await runPlan(planDelete(resource, id, action), sinceLocked(tx))
    await reportWrite(tx, resource, { id, action: 'destroy' })
    return noContent
  })
}

/** An action of the domain on one record: 204, or 200 with what it responds. */
export async function member(
  engine: Engine,
  resource: Resource,
  action: MemberAction,
  request: ActionRequest,
): Promise<Answer> {
  const read = attempt(() => readParameters(resource.singular, action, request))
  return writeOnce(engine, request, async (tx) => {
    const id = action.namedBy
      ? await findNamed(tx, resource, request, action.namedBy, orThrow(read))
      : await findForWriting(tx, resource, request)
    const context = sinceLocked(tx)
    const { handle } = context
    const input = bareInput(context, id, orThrow(read))
    await requirePreconditions(context, resource, id, request)
    await resource.authorize?.(handle, input)
    await context.caller.authorizeWrite?.(handle, resource.table, id)
    const answer =
      'respond' in action ? okay(await action.respond(handle, { ...input, render: rendererOf(context) })) : noContent
    if ('perform' in action) await action.perform(handle, input)
    await context.caller.authorizeWrite?.(handle, resource.table, id)
    await reportWrite(context, resource, { id, action: nameOf(resource, action) })
    return answer
  })
}

const nameOf = ({ actions }: Resource, action: MemberAction): string => {
  const members = actions === embeddedOnly ? {} : (actions.members ?? {})
  return Object.keys(members).find((name) => members[name] === action) ?? 'member'
}

/** Its time is taken when the record is locked, so that of two writes of it the later one is later. */
const sinceLocked = (context: WriteContext): WriteContext => ({ ...context, now: context.engine.clock.now() })

type Work = (context: WriteContext) => Promise<Answer>

/** Runs a write in a transaction; what the database refuses becomes 422 in the client's terms. */
async function write(engine: Engine, { caller, grant }: ActionRequest, work: Work): Promise<Answer> {
  const ownOnly = grant.ownAssociation !== undefined
  const run = (tx: Handle) => work({ ...requestContext(engine, caller, tx), ownOnly })
  try {
    return await engine.database.transaction(run, actorOf(caller))
  } catch (error) {
    throw asHttpError(error, engine.registry)
  }
}

/** Returns the actor for the change feed. */
const actorOf = ({ resourceOwnerId, command, application }: Caller): string =>
  resourceOwnerId !== null
    ? `user:${resourceOwnerId}`
    : command
      ? `command:${command}`
      : `application:${application.id}`

/** Runs `write` once for each `Idempotency-Key`. */
function writeOnce(engine: Engine, request: ActionRequest, work: Work): Promise<Answer> {
  const { idempotent } = request
  if (!idempotent) return write(engine, request, work)
  return write(engine, request, (context) => answerOnce(context, idempotent, () => work(context)))
}
