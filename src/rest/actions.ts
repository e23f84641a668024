import type { Handle } from '../database/database.ts'
import { accessDenied, notFound, unprocessable } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Params } from '../http/params.ts'
import { type Grant, refusalOf } from './access.ts'
import { type Answer, noContent, okay, pageHeaders } from './answer.ts'
import { explainConstraint } from './constraints.ts'
import { type SqlValue, WrongValue } from './fields/kinds.ts'
import { type GraphRequest, runGraph } from './graph.ts'
import { answerOnce, type IdempotentRequest } from './idempotency.ts'
import type { Machine } from './machine.ts'
import { readPayload, unwrap } from './payload.ts'
import { type Condition, type ParentCondition, planConditions, planList, type RecordKey } from './plan.ts'
import { findQuery } from './query.ts'
import { readListRequest } from './request.ts'
import type { Resource, Verb, WriteAction } from './resource.ts'
import { findId, isOwner, runList, runRecord } from './run.ts'
import { deleteRecord, insertRecord, noRecord, updateRecord, writeAlong } from './writes.ts'

/** A request as the actions see it. */
export type ActionRequest = {
  readonly caller: Caller
  readonly grant: Grant
  readonly query: Params
  readonly rawQuery: string
  readonly url: string
  readonly body: unknown
  /** The record that the path names, on everything but lists and creation. */
  readonly key: RecordKey | undefined
  /** The records that it hangs under in the path, outermost first. */
  readonly parents: readonly ParentCondition[]
  readonly prefersRecord: boolean
  readonly idempotent: IdempotentRequest | undefined
}

type IndexOptions = {
  /** Conditions of the route itself. */
  readonly fixed?: readonly Condition[]
  readonly form?: string | undefined
}

/** A page of the collection. */
export async function index(
  machine: Machine,
  resource: Resource,
  request: ActionRequest,
  { fixed = [], form = resource.answers?.index ?? 'record' }: IndexOptions = {},
): Promise<Answer> {
  const list = readListRequest(request.query)
  const plan = planList(resource, list, [...request.parents, ...fixed])
  const { records, total } = await runList(machine, plan, form)
  if (records.length === 0) await requireParents(machine, request.parents)
  const headers = pageHeaders({
    url: request.url,
    query: request.rawQuery,
    page: list.page,
    perPage: list.perPage,
    total,
  })
  return okay(`[${records.join(',')}]`, headers)
}

/** One record. */
export async function show(machine: Machine, resource: Resource, request: ActionRequest): Promise<Answer> {
  const key = keyOf(request)
  const { restricted } = resource
  const refusal = restricted && refusalOf(restricted.access, request.caller)
  const hidden: Condition[] = refusal ? [{ kind: 'blank', name: restricted.whileSet }] : []
  const form = resource.answers?.show ?? 'record'
  const record = await runRecord(machine, resource, form, key, [...request.parents, ...hidden])
  if (record !== undefined) return okay(record)
  if (refusal && (await findId(machine.database, resource, key)) !== undefined) throw refusal
  throw noRecord(resource, nameOf(key))
}

/** The record of the person whom the token stands for. */
export async function showOwner(
  machine: Machine,
  resource: Resource,
  request: ActionRequest,
  form: string,
): Promise<Answer> {
  const id = request.caller.resourceOwnerId
  const record = id === null ? undefined : await runRecord(machine, resource, form, { id })
  if (record === undefined) throw noOwner()
  return okay(record)
}

/** Counts by bucket of time. */
export async function graph(
  machine: Machine,
  resource: Resource,
  request: ActionRequest,
  asked: GraphRequest,
): Promise<Answer> {
  const conditions = [...request.parents, ...planConditions(resource, readListRequest(request.query))]
  await requireParents(machine, request.parents)
  return okay(await runGraph(machine, resource, conditions, asked))
}

/** Creates a record: 201 with it and its `Location`. */
export async function create(
  machine: Machine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(machine, async (tx) =>
    answerOnce(tx, machine.clock.now(), request.idempotent, async () => {
      const given = await parentValues(tx, request)
      const payload = readPayload(resource, unwrap(resource.singular, request), {
        creating: true,
        given: ownValue(request, given),
      })
      const now = machine.clock.now()
      const id = action.perform
        ? await action.perform(tx, { id: 0, values: payload.values, caller: request.caller, now })
        : await insertRecord(tx, resource, payload.values, now)
      requireOwn(request, payload.values)
      await writeAlong(tx, machine.registry, resource, id, payload, now)
      const { show = 'record', create: form = show } = resource.answers ?? {}
      const body = await runRecord(machine, resource, form, { id }, [], tx)
      const location = `${machine.wire.baseUrl}/v2/${resource.name}/${id}`
      return { status: 201, headers: { location }, body: body as string }
    }),
  )
}

/** Changes a record: 204, or 200 with it when the client prefers that (RFC 7240). */
export async function update(
  machine: Machine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(machine, async (tx) => {
    const id = await findForWriting(tx, machine, resource, request)
    const payload = readPayload(resource, unwrap(resource.singular, request), { creating: false })
    requireOwn(request, payload.values)
    const now = machine.clock.now()
    const current = action.perform
      ? await action.perform(tx, { id, values: payload.values, caller: request.caller, now })
      : await updateRecord(tx, resource, id, payload.values, now)
    await writeAlong(tx, machine.registry, resource, current, payload, now)
    if (!request.prefersRecord) return noContent
    const record = await runRecord(machine, resource, resource.answers?.show ?? 'record', { id: current }, [], tx)
    return okay(record as string, { 'preference-applied': 'return=representation' })
  })
}

/** Deletes a record: 204. */
export async function destroy(
  machine: Machine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  const remove: Verb = action.perform ?? (async (tx, { id }) => deleteRecord(tx, resource, id).then(() => id))
  return member(machine, resource, remove, request)
}

/** A verb of the domain on one record: 204. */
export async function member(
  machine: Machine,
  resource: Resource,
  perform: Verb,
  request: ActionRequest,
): Promise<Answer> {
  return write(machine, async (tx) => {
    const id = await findForWriting(tx, machine, resource, request)
    await perform(tx, { id, values: {}, caller: request.caller, now: machine.clock.now() })
    return noContent
  })
}

/** Runs a write in a transaction; what the database refuses becomes 422 in the client's terms. */
async function write(machine: Machine, work: (tx: Handle) => Promise<Answer>): Promise<Answer> {
  try {
    return await machine.database.transaction(work)
  } catch (error) {
    if (error instanceof WrongValue) throw unprocessable({ base: [error.message] })
    throw explainConstraint(error, machine.registry) ?? error
  }
}

async function findForWriting(
  tx: Handle,
  machine: Machine,
  resource: Resource,
  request: ActionRequest,
): Promise<number> {
  const key = keyOf(request)
  const { text, values } = findQuery(resource, key, request.parents, machine.clock.now())
  const [row] = await tx.rows(text, values)
  if (!row) throw noRecord(resource, nameOf(key))
  const id = Number(row[0])
  const { ownColumn } = request.grant
  const person = request.caller.resourceOwnerId
  if (ownColumn && (person === null || !(await isOwner(tx, resource, id, ownColumn, person)))) throw notOwn()
  return id
}

/** The columns that the path supplies: `/users/:user_id/locations` sets `user_id`. */
async function parentValues(tx: Handle, request: ActionRequest): Promise<Record<string, SqlValue>> {
  const values: Record<string, SqlValue> = {}
  for (const { parent, tie, key } of request.parents) {
    const id = await findId(tx, parent, key)
    if (id === undefined) throw noRecord(parent, nameOf(key))
    if (typeof tie === 'string') values[tie] = id
  }
  return values
}

/** Whoever may only write records of their own need not say whose they are. */
function ownValue(request: ActionRequest, given: Record<string, SqlValue>): Record<string, SqlValue> {
  const { ownColumn } = request.grant
  const payload = (request.body ?? request.query) as Record<string, Record<string, unknown> | undefined>
  const isSaid = Object.values(payload).some(
    (part) => typeof part === 'object' && part !== null && ownColumn !== undefined && ownColumn in part,
  )
  return ownColumn && !isSaid && !(ownColumn in given)
    ? { ...given, [ownColumn]: request.caller.resourceOwnerId }
    : given
}

function requireOwn(request: ActionRequest, values: Readonly<Record<string, SqlValue>>): void {
  const { ownColumn } = request.grant
  if (ownColumn && ownColumn in values && values[ownColumn] !== request.caller.resourceOwnerId) throw notOwn()
}

async function requireParents(machine: Machine, parents: readonly ParentCondition[]): Promise<void> {
  for (const { parent, key } of parents) {
    if ((await findId(machine.database, parent, key)) === undefined) throw noRecord(parent, nameOf(key))
  }
}

function keyOf({ key }: ActionRequest): RecordKey {
  if (!key) throw new Error('the route names no record')
  return key
}

const nameOf = (key: RecordKey) => ('id' in key ? String(key.id) : JSON.stringify(key.name.slice(0, 80)))

const notOwn = () =>
  accessDenied('You are not authorized to access this page. With this token only records of your own can be written.')

/** 404 of `/v2/me` with a token that stands for nobody (decisions §3). */
export const noOwner = () =>
  notFound('This token has no resource owner: it belongs to an application. Use a token that a person granted.')
