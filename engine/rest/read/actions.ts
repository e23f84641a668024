import { message } from '../../base/languages/say.ts'
import { knownTimeZone } from '../../base/time-zones.ts'
import type { Handle } from '../../database/database.ts'
import { databaseTimeZone } from '../../database/time-zones.ts'
import { notFound } from '../../errors.ts'
import { type ActionRequest, keyOf, narrowing, noOwner, noRecord } from '../action-request.ts'
import { type Answer, okay, pageHeaders } from '../answer.ts'
import type { Condition, ParentCondition } from '../condition.ts'
import { refusalOf } from '../declare/access.ts'
import type { QueryActionDeclaration, Resource } from '../declare/declaration.ts'
import { MAX_INTEGER } from '../declare/fields/kinds.ts'
import type { Engine } from '../engine.ts'
import { requestContext } from '../request-context.ts'
import { dependenciesOf } from './dependencies.ts'
import { findId, findParents, findValue, requireOwner } from './find.ts'
import { askedTimeZone, type GraphRequest, runGraph } from './graph.ts'
import { type ListRequest, readListRequest } from './list-request.ts'
import { type Plan, planConditions, planList } from './plan.ts'
import { readQueryParameters } from './query-parameters.ts'
import { readingOf } from './reading.ts'
import { isFound } from './record-key.ts'
import { rendererOf, runList, runRecord } from './run.ts'

type IndexOptions = {
  readonly fixed?: readonly Condition[]
  readonly representation?: string | undefined
}

export type AskedList = { readonly list: ListRequest; readonly plan: Plan; readonly representation: string }

/** Plans the list of a request. Throws 400, and 404 if a parent does not exist. */
export async function planIndex(
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  { fixed = [], representation = resource.answers?.index ?? 'record' }: IndexOptions = {},
): Promise<AskedList> {
  const list = readListRequest(request.query)
  const plan = planList(resource, list, [...(await resolveFound(engine, narrowing(resource, request))), ...fixed])
  return { list, plan, representation }
}

export async function index(engine: Engine, resource: Resource, request: ActionRequest, options: IndexOptions = {}) {
  const { list, plan, representation } = await planIndex(engine, resource, request, options)
  const full = dependenciesOf(engine, { ...plan, representation })
  const empty = dependenciesOf(engine, { ...plan, representation, parents: request.parents })
  const reading = readingOf(engine, request, full)
  const { records, total } = await runList(reading.context, plan, representation)
  // A record proves that its parents exist.
  if (records.length === 0) await findParents(engine.database, request.parents)
  const { page, perPage } = list
  const headers = pageHeaders({ url: request.url, query: request.rawQuery, page, perPage, total })
  return reading.okay(listOf(records), headers, records.length === 0 ? empty : full)
}

/** Replaces associations that only the domain can find by the rows it finds. Throws 404 if a parent does not exist. */
async function resolveFound(
  { database, clock }: Engine,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const resolved: Condition[] = []
  for (const condition of conditions) {
    if (condition.kind === 'parent' && isFound(condition.association)) {
      const { columns, find } = condition.association
      for (const { key } of await findParents(database, [condition]))
        resolved.push({ kind: 'found', columns, rows: await find(database, key.id, clock.now()) })
    } else resolved.push(condition)
  }
  return resolved
}

export async function show(engine: Engine, resource: Resource, request: ActionRequest): Promise<Answer> {
  const key = keyOf(request)
  const { hidden, refusal } = restrictionOf(resource, request)
  const representation = resource.answers?.show ?? 'record'
  const conditions = [...narrowing(resource, request), ...hidden]
  const dependsOn = dependenciesOf(engine, { resource, representation, conditions, key })
  const reading = readingOf(engine, request, dependsOn)
  const record = await runRecord(reading.context, resource, representation, key, conditions)
  if (record !== undefined) return reading.okay(record)
  if (refusal && (await findId(engine.database, resource, key)) !== undefined) throw refusal()
  throw noRecord(resource, key)
}

export async function showOnly(engine: Engine, resource: Resource, request: ActionRequest): Promise<Answer> {
  const { hidden } = restrictionOf(resource, request)
  const below = await resolveFound(engine, narrowing(resource, request))
  const plan = planList(resource, readListRequest({ per_page: '1' }), [...below, ...hidden])
  const representation = resource.answers?.show ?? 'record'
  const dependsOn = dependenciesOf(engine, { ...plan, representation })
  const reading = readingOf(engine, request, dependsOn)
  const { records } = await runList(reading.context, plan, representation)
  if (records[0] !== undefined) return reading.okay(records[0])
  await findParents(engine.database, request.parents)
  throw notFound(message('There is no {what} here.', { what: resource.singular }))
}

/** Returns the conditions that hide restricted records from the caller, and the refusal for a hidden record. */
export function restrictionOf({ restricted }: Resource, { caller }: Pick<ActionRequest, 'caller'>) {
  const refusal = restricted && refusalOf(restricted.access, caller)
  const hidden: Condition[] = refusal ? [{ kind: 'blank', name: restricted.whileSet }] : []
  return { hidden, refusal }
}

export async function showOwner(engine: Engine, resource: Resource, request: ActionRequest, representation: string) {
  const id = request.caller.resourceOwnerId
  if (id === null) throw noOwner()
  const dependsOn = dependenciesOf(engine, { resource, representation, conditions: [], key: { id } })
  const reading = readingOf(engine, request, dependsOn)
  const record = await runRecord(reading.context, resource, representation, { id })
  if (record === undefined) throw noOwner()
  return reading.okay(record)
}

export async function graph(
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  asked: GraphRequest,
  fixed: readonly Condition[] = [],
): Promise<Answer> {
  const conditions = [
    ...narrowing(resource, request),
    ...fixed,
    ...planConditions(resource, readListRequest(request.query)),
  ]
  const askedZone = askedTimeZone(request.query.time_zone)
  const dependsOn = dependenciesOf(engine, {
    resource,
    conditions,
    order: [{ name: asked.field ?? resource.graph?.default ?? 'id', descending: false }],
    parents: request.parents,
    tables: conditions.flatMap((condition) => zonedBy(engine, resource, condition)?.table ?? []),
    until: nextDayAnywhere(engine.clock.now()),
  })
  await findParents(engine.database, request.parents)
  const timeZone =
    askedZone ??
    (await timeZoneOf(engine.database, request.parents)) ??
    (await filteredTimeZone(engine, resource, conditions)) ??
    'UTC'
  const reading = readingOf(engine, request, dependsOn)
  const { body, total } = await runGraph(
    reading.context,
    resource,
    conditions,
    asked,
    await databaseTimeZone(engine.database, timeZone),
  )
  return reading.okay(body, { 'x-total': String(total) })
}

const QUARTER_MILLISECONDS = 15 * 60_000

/** A day begins at a full quarter of an hour in every time zone. */
const nextDayAnywhere = (now: Date) => (Math.floor(now.getTime() / QUARTER_MILLISECONDS) + 1) * QUARTER_MILLISECONDS

async function timeZoneOf(handle: Handle, parents: readonly ParentCondition[]): Promise<string | undefined> {
  const zoned = parents.findLast(({ parent }) => parent.timeZone)
  if (!zoned?.parent.timeZone) return undefined
  return knownTimeZone(await findValue(handle, zoned.parent, zoned.key, zoned.parent.timeZone))
}

async function filteredTimeZone(engine: Engine, resource: Resource, conditions: readonly Condition[]) {
  for (const condition of conditions) {
    if (condition.kind !== 'filter' || condition.values.length !== 1) continue
    const [id] = condition.values
    const target = zonedBy(engine, resource, condition)
    if (target?.timeZone === undefined || typeof id !== 'number' || id < 1 || id > MAX_INTEGER) continue
    return knownTimeZone(await findValue(engine.database, target, { id }, target.timeZone))
  }
  return undefined
}

function zonedBy({ registry }: Engine, resource: Resource, condition: Condition): Resource | undefined {
  const references = condition.kind === 'filter' ? resource.stored(condition.name)?.references : undefined
  const target = references === undefined ? undefined : registry.get(references)
  return target?.timeZone === undefined ? undefined : target
}

export async function runQueryAction(
  engine: Engine,
  resource: Resource,
  { read, parameters = {} }: Pick<QueryActionDeclaration, 'read' | 'parameters'>,
  request: ActionRequest,
): Promise<Answer> {
  const values = readQueryParameters(parameters, request.query)
  const context = requestContext(engine, request.caller)
  const { handle, caller, now } = context
  const id = await findId(handle, resource, keyOf(request))
  if (id === undefined) throw noRecord(resource, keyOf(request))
  await requireOwner(handle, resource, id, request)
  return okay(await read(handle, { id, values, caller, now, render: rendererOf(context) }))
}

/** Concatenation copies the text once, unlike `join`. */
function listOf(records: readonly string[]): string {
  let out = '['
  for (let at = 0; at < records.length; at += 1) out += at === 0 ? records[at] : `,${records[at]}`
  return `${out}]`
}
