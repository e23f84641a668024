import type { Handle } from '../../database/database.ts'
import { errorsWithin, HttpError, malformed, refuseIfAny, unprocessable } from '../../errors.ts'
import type { Caller } from '../../http/caller.ts'
import { type ActionRequest, narrowing, notOwn, parentIds } from '../action-request.ts'
import { type Answer, noContent, okay } from '../answer.ts'
import { grantOf } from '../declare/access.ts'
import type { SqlValue } from '../declare/fields/kinds.ts'
import {
  type CreateAction,
  type Created,
  createRepresentation,
  embeddedOnly,
  type MemberAction,
  type Resource,
  type Verb,
  type WriteAction,
  type WriteInput,
} from '../declare/resource.ts'
import type { Engine } from '../engine.ts'
import { restrictionOf } from '../read/reading.ts'
import { isOwner, runRecord, runRecords } from '../read/run.ts'
import { asHttpError } from './constraints.ts'
import { findForWriting } from './find-for-writing.ts'
import { answerOnce } from './idempotency.ts'
import { keepFiles } from './keep-files.ts'
import { ownPart } from './own-part.ts'
import { NOTHING, type PayloadValues, readOptional, readPayload, unwrap } from './payload.ts'
import { deleteUnlessUsed } from './still-used.ts'
import { changesOf, differingValues, isEmpty } from './unchanged.ts'
import { deleteRecord, insertRecord, updateRecord, writeAhead, writeAlong } from './writes.ts'

/** Creates a record: 201 with it and its `Location`. */
export async function create(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  await keepFiles(engine, resource, request, { creating: true })
  return write(engine, (tx) =>
    answerOnce(tx, engine.clock.now(), request.idempotent, async () => {
      const payload = unwrap(resource, request)
      if (action.performSeveral) {
        const { performSeveral } = action
        const ids = await performSeveral(tx, (await readCreation(tx, engine, resource, action, request, payload)).input)
        const records = await runRecords(engine, resource, createRepresentation(resource), ids, [], request.caller, tx)
        return { status: 201, headers: {}, body: `[${records.join(',')}]` }
      }
      const { id, once } = await createOne(tx, engine, resource, action, request, payload)
      const location = `${engine.wire.baseUrl}/v2/${resource.name}/${id}`
      const record = await createdRecord(tx, engine, resource, id, request.caller)
      const answer = { status: 201, headers: { location } }
      if (!action.once) return { ...answer, body: record }
      const told = Object.keys(action.once).map((name) => [name, once[name] ?? null] as const)
      const untold = told.map(([name]) => [name, null] as const)
      return { ...answer, body: withTexts(record, told), remembered: withTexts(record, untold) }
    }),
  )
}

const MAX_BULK = 100

/** The record with further members at its end. */
function withTexts(record: string, texts: readonly (readonly [string, string | null])[]): string {
  return `${record.slice(0, -1)}${texts.map(([name, text]) => `,${JSON.stringify(name)}:${JSON.stringify(text)}`).join('')}}`
}

/** Creates several records, all or none: 201 with the list of them; 422 names the failing ones by their place. */
export async function createSeveral(
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(engine, (tx) =>
    answerOnce(tx, engine.clock.now(), request.idempotent, async () => {
      const payloads = unwrapSeveral(resource, request)
      const records: string[] = []
      const errors: Record<string, readonly string[]> = {}
      for (const [place, payload] of payloads.entries()) {
        await tx.rows('savepoint entry')
        try {
          const { id } = await createOne(tx, engine, resource, action, request, payload)
          records.push(await createdRecord(tx, engine, resource, id, request.caller))
        } catch (error) {
          const httpError = asHttpError(error, engine.registry)
          if (!(httpError instanceof HttpError) || httpError.status !== 422) throw error
          await tx.rows('rollback to savepoint entry')
          Object.assign(errors, errorsWithin(`${resource.name}[${place}]`, httpError.errors ?? {}))
        }
      }
      refuseIfAny(errors)
      return { status: 201, headers: {}, body: `[${records.join(',')}]` }
    }),
  )
}

/** Changes a record: 204, or 200 with it when the client prefers that (RFC 7240) and may see it. */
export async function update(
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  await keepFiles(engine, resource, request, { creating: false })
  return write(engine, async (tx) => {
    const found = await findForWriting(tx, engine, resource, request)
    const now = engine.clock.now()
    const given = await parentValues(tx, request)
    const payload = readPayload(resource, unwrap(resource, request), { creating: false, given, now })
    requireOwn(request, payload.values)
    const view = { caller: request.caller, now }
    const changes = await changesOf(tx, engine.registry, resource, found, payload, now, view)
    const written = ownPart(resource, action, request.grant, payload, changes)
    // Nobody is told of a change that is none.
    const id = isEmpty(written) ? found : await updateOne(tx, engine, resource, action, request, found, written)
    if (!request.prefersRecord) return noContent
    const record = await shownRecord(tx, engine, resource, id, request)
    return record === undefined ? noContent : okay(record, { 'preference-applied': 'return=representation' })
  })
}

async function updateOne(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
  found: number,
  payload: PayloadValues,
): Promise<number> {
  const now = engine.clock.now()
  const values = await writeAhead(tx, engine.registry, resource, payload, now)
  const input = inputOf(engine, request, found, { ...payload, values })
  const id = action.perform ? await action.perform(tx, input) : await updatePlainly(tx, resource, input)
  await writeAlong(tx, engine.registry, resource, id, payload, input)
  await action.finish?.(tx, { ...input, id })
  return id
}

/** What was sent for the sake of a move alone is no change of the record. */
async function updatePlainly(tx: Handle, resource: Resource, { id, values, along, now }: WriteInput): Promise<number> {
  if (!resource.payload?.moves) return updateRecord(tx, resource, id, values, now)
  const differing = await differingValues(tx, resource, id, values)
  if (Object.keys(differing).length + along.size === 0) return id
  return updateRecord(tx, resource, id, differing, now)
}

/** Deletes a record: 204. One that others hang on is 422. */
export async function destroy(
  engine: Engine,
  resource: Resource,
  action: WriteAction,
  request: ActionRequest,
): Promise<Answer> {
  const remove: Verb = async (tx, { id }) => {
    await deleteRecord(tx, resource, id)
    return id
  }
  const perform = action.perform ?? remove
  const guarded: Verb = (tx, input) =>
    deleteUnlessUsed(tx, engine.registry, resource, input.id, () => perform(tx, input))
  return member(engine, resource, { access: action.access, perform: guarded }, request)
}

/** A verb of the domain on one record: 204, or 200 with what it tells. */
export async function member(
  engine: Engine,
  resource: Resource,
  action: MemberAction,
  request: ActionRequest,
): Promise<Answer> {
  return write(engine, (tx) =>
    answerOnce(tx, engine.clock.now(), request.idempotent, async () => {
      const id = await findForWriting(tx, engine, resource, request)
      const values = action.accepts ? readOptional(resource.singular, action.accepts, request) : {}
      const input = inputOf(engine, request, id, { ...NOTHING, values })
      if ('tell' in action) return okay(await action.tell(tx, input))
      await action.perform(tx, input)
      return noContent
    }),
  )
}

async function createOne(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
  payload: Readonly<Record<string, unknown>>,
): Promise<Created> {
  const { input, read } = await readCreation(tx, engine, resource, action, request, payload)
  const made = action.perform
    ? await action.perform(tx, input)
    : await insertRecord(tx, resource, input.values, input.now)
  const created = typeof made === 'number' ? { id: made, once: {} } : made
  const { id } = created
  await writeAlong(tx, engine.registry, resource, id, read, input)
  await action.finish?.(tx, { ...input, id })
  return created
}

/** What is to be created, read and held against the caller's rights. */
async function readCreation(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  action: CreateAction,
  request: ActionRequest,
  payload: Readonly<Record<string, unknown>>,
): Promise<{ readonly input: WriteInput; readonly read: PayloadValues }> {
  const given = { ...ownValue(request, payload), ...(await parentValues(tx, request)) }
  requireOwn(request, { ...readable(request, payload), ...given })
  const now = engine.clock.now()
  const sent = readPayload(resource, payload, { creating: true, given, now })
  requireOwn(request, sent.values)
  const read = ownPart(resource, action, request.grant, sent)
  const values = await writeAhead(tx, engine.registry, resource, read, now)
  return { input: inputOf(engine, request, 0, { ...read, values }), read }
}

/** The record as its own page would show it to the caller; undefined where it would not. */
async function shownRecord(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  id: number,
  request: ActionRequest,
): Promise<string | undefined> {
  const { actions, answers } = resource
  const { caller } = request
  const grant = actions === embeddedOnly ? undefined : grantOf(actions.show, caller)
  if (!grant) return undefined
  const { ownAssociation } = grant
  const owner = caller.resourceOwnerId
  if (ownAssociation && (owner === null || !(await isOwner(tx, resource, id, ownAssociation, owner)))) return undefined
  const conditions = [...narrowing(resource, { ...request, parents: [] }), ...restrictionOf(resource, request).hidden]
  return runRecord(engine, resource, answers?.show ?? 'record', { id }, caller, conditions, tx)
}

async function createdRecord(
  tx: Handle,
  engine: Engine,
  resource: Resource,
  id: number,
  caller: Caller,
): Promise<string> {
  return (await runRecord(engine, resource, createRepresentation(resource), { id }, caller, [], tx)) as string
}

function inputOf(
  engine: Engine,
  { caller, grant }: ActionRequest,
  id: number,
  { values, nested, links }: PayloadValues = NOTHING,
): WriteInput {
  const along = new Set([...nested.keys(), ...links.keys()])
  return { id, values, along, caller, ownOnly: grant.ownAssociation !== undefined, now: engine.clock.now() }
}

/** `{ "scale_teams": [ … ] }`. */
function unwrapSeveral(resource: Resource, { body, query }: ActionRequest): readonly Record<string, unknown>[] {
  const source = (body ?? query) as Record<string, unknown>
  const list = source[resource.name]
  if (!Array.isArray(list) || !list.every((entry) => typeof entry === 'object' && entry !== null)) {
    throw malformed(`The payload is missing: it must be a list of objects under "${resource.name}".`)
  }
  if (list.length > MAX_BULK) throw unprocessable({ base: [`at most ${MAX_BULK} can be created at once`] })
  return list as Record<string, unknown>[]
}

/** Runs a write in a transaction; what the database refuses becomes 422 in the client's terms. */
async function write(engine: Engine, work: (tx: Handle) => Promise<Answer>): Promise<Answer> {
  try {
    return await engine.database.transaction(work)
  } catch (error) {
    throw asHttpError(error, engine.registry)
  }
}

/** The columns that the path supplies: `/users/:user_id/locations` sets `user_id`. */
async function parentValues(tx: Handle, { parents }: ActionRequest): Promise<Record<string, SqlValue>> {
  const ids = await parentIds(tx, parents)
  const columns = parents.map(({ association }, index) => [association, ids[index] ?? null] as const)
  return Object.fromEntries(columns.filter(([association]) => typeof association === 'string'))
}

/** Whoever may only write records of their own need not say whose they are. */
function ownValue(
  { grant: { ownAssociation }, caller }: ActionRequest,
  payload: Readonly<Record<string, unknown>>,
): Record<string, SqlValue> {
  if (typeof ownAssociation !== 'string') return {}
  const isSaid = payload[ownAssociation] != null && payload[ownAssociation] !== ''
  return isSaid ? {} : { [ownAssociation]: caller.resourceOwnerId }
}

/** Whom the payload names as the record's own, before the rest of it is read: whoever may not, learns no more. */
function readable({ grant: { ownAssociation } }: ActionRequest, payload: Readonly<Record<string, unknown>>): Values {
  if (typeof ownAssociation !== 'string' || payload[ownAssociation] == null || payload[ownAssociation] === '') return {}
  return { [ownAssociation]: Number(payload[ownAssociation]) }
}

type Values = WriteInput['values']

function requireOwn({ grant: { ownAssociation }, caller }: ActionRequest, values: Values): void {
  if (
    typeof ownAssociation === 'string' &&
    ownAssociation in values &&
    values[ownAssociation] !== caller.resourceOwnerId
  )
    throw notOwn()
}
