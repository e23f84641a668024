import type { Message } from '../../base/languages/say.ts'
import { errorsWithin, refuseIfAny } from '../../errors.ts'
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
import type { Engine } from '../engine.ts'
import { rendererOf, runRecords } from '../read/run.ts'
import { requestContext, type WriteContext } from '../request-context.ts'
import { compareUpdate, isEmpty, requirePreconditions } from './compare.ts'
import { asHttpError } from './constraints.ts'
import { answerOnce } from './idempotency.ts'
import { refusedOr } from './insert-all.ts'
import { linkToParents } from './link-to-parents.ts'
import { lockForPayload, lockNamed, lockRecord } from './lock.ts'
import { attempt, orThrow } from './parse.ts'
import { readParameters } from './read-parameters.ts'
import { createdRecord, insertAndRepresent, listOfCreated, representChanged, representCreated } from './represent.ts'
import { settleCreation, settleOne, settleUpdate } from './settle.ts'
import { unwrapSeveral } from './unwrap.ts'
import { bareInput, inputOf, reportWrite, writeChanges, writeDeletion, writeNew } from './write.ts'

export async function create(engine: Engine, resource: Resource, action: CreateAction, request: ActionRequest) {
  const settled = await settleCreation(engine, resource, action, request)
  return inTransaction(engine, request, async (context) => {
    const { payload, parents } = orThrow(settled)
    if (action.performSeveral) {
      const ids = await action.performSeveral(context.handle, await inputOf(context, payload))
      for (const id of ids) await reportWrite(context, resource, { id, action: 'create', payload })
      return listOfCreated(await runRecords(context, resource, createRepresentation(resource), ids))
    }
    const made = context.caller.onWrite ? undefined : await insertAndRepresent(context, payload, action, request)
    if (made) return made
    const created = await writeNew(context, payload, action)
    await linkToParents(context, resource, parents, created.id)
    await reportWrite(context, resource, { id: created.id, action: 'create', payload })
    return representCreated(context, resource, action, created, request)
  })
}

/** Creates all records or none. Throws a 422 that names the failing ones by index. */
export async function createSeveral(engine: Engine, resource: Resource, action: CreateAction, request: ActionRequest) {
  const several = attempt(() => unwrapSeveral(resource, request))
  return inTransaction(engine, request, async (context) => {
    const records: string[] = []
    const errors: Record<string, readonly Message[]> = {}
    await action.prepareSeveral?.(context.handle, orThrow(several))
    for (const [place, sent] of orThrow(several).entries()) {
      const made = await refusedOr(context, async () => {
        const payload = settleOne(engine, resource, action, request, sent, [])
        const { id } = await writeNew(context, payload, action)
        await reportWrite(context, resource, { id, action: 'create', payload })
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

export async function update(engine: Engine, resource: Resource, action: WriteAction, request: ActionRequest) {
  const settled = await settleUpdate(engine, resource, request)
  return inTransaction(engine, request, async (tx) => {
    const lock = lockForPayload(engine.registry, resource, request)
    const { id: formerId, context } = await lockRecord(tx, resource, request, lock)
    const changes = await compareUpdate(context, action, request, formerId, orThrow(settled))
    // An update that changes nothing writes nothing, so that no event is sent.
    if (isEmpty(changes)) return representChanged(context, resource, formerId, request)
    const isLast = !request.prefersRecord && !request.caller.onWrite
    const id = await writeChanges(context, formerId, changes, action, { isLast })
    await reportWrite(context, resource, { id, action: 'update', payload: changes })
    return representChanged(context, resource, id, request)
  })
}

export async function destroy(engine: Engine, resource: Resource, { perform }: WriteAction, request: ActionRequest) {
  return inTransaction(engine, request, async (tx) => {
    const { id, context } = await lockRecord(tx, resource, request, 'for update of t')
    await requirePreconditions(context, resource, id, request)
    await writeDeletion(context, resource, id, perform)
    await reportWrite(context, resource, { id, action: 'destroy' })
    return noContent
  })
}

export async function member(engine: Engine, resource: Resource, action: MemberAction, request: ActionRequest) {
  const read = attempt(() => readParameters(resource.singular, action, request))
  return inTransaction(engine, request, async (tx) => {
    const { id, context } = action.namedBy
      ? await lockNamed(tx, resource, request, action.namedBy, orThrow(read))
      : await lockRecord(tx, resource, request)
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

type Work = (context: WriteContext) => Promise<Answer>

/** Runs a write in one transaction, and once for each `Idempotency-Key`. Database errors become 422. */
async function inTransaction(engine: Engine, request: ActionRequest, work: Work): Promise<Answer> {
  const { caller, grant, idempotent } = request
  const ownOnly = grant.ownAssociation !== undefined
  try {
    return await engine.database.transaction((tx) => {
      const context = { ...requestContext(engine, caller, tx), ownOnly }
      return idempotent ? answerOnce(context, idempotent, () => work(context)) : work(context)
    }, actorOf(caller))
  } catch (error) {
    throw asHttpError(error, engine.registry)
  }
}

function actorOf({ resourceOwnerId, command, application }: Caller): string {
  if (resourceOwnerId !== null) return `user:${resourceOwnerId}`
  return command ? `command:${command}` : `application:${application.id}`
}
