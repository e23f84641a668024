import type { Handle } from '../../database/database.ts'
import { notFound } from '../../errors.ts'
import { knownTimeZone } from '../../time-zones.ts'
import { type ActionRequest, keyOf, narrowing, noOwner, noRecord, parentIds, requireOwner } from '../action-request.ts'
import { type Answer, okay, pageHeaders } from '../answer.ts'
import { refusalOf } from '../declare/access.ts'
import type { QueryActionDeclaration, Resource } from '../declare/declaration.ts'
import type { Engine } from '../engine.ts'
import { askedTimeZone, type GraphRequest, runGraph } from './graph.ts'
import { type Condition, type ParentCondition, planConditions, planList } from './plan.ts'
import { isFound } from './query.ts'
import { readQueryParameters } from './query-parameters.ts'
import { readListRequest } from './request.ts'
import { findId, findValue, rendererOf, runList, runRecord } from './run.ts'

type IndexOptions = {
  /** Conditions of the route itself. */
  readonly fixed?: readonly Condition[]
  readonly representation?: string | undefined
}

/** A page of the collection. */
export async function index(
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  { fixed = [], representation = resource.answers?.index ?? 'record' }: IndexOptions = {},
): Promise<Answer> {
  const list = readListRequest(request.query)
  const plan = planList(resource, list, [...(await findTied(engine, narrowing(resource, request))), ...fixed])
  const { records, total } = await runList(engine, plan, representation, request.caller)
  // Records below a parent prove that it exists; only an empty list leaves the question.
  if (records.length === 0) await parentIds(engine.database, request.parents)
  const { page, perPage } = list
  return okay(listOf(records), pageHeaders({ url: request.url, query: request.rawQuery, page, perPage, total }))
}

/** The same conditions, with what only the domain can tell found out. Throws 404 where there is no such parent. */
async function findTied({ database, clock }: Engine, conditions: readonly Condition[]): Promise<readonly Condition[]> {
  const settled: Condition[] = []
  for (const condition of conditions) {
    if (condition.kind === 'parent' && isFound(condition.association)) {
      const [id] = await parentIds(database, [condition])
      const { columns, find } = condition.association
      settled.push({ kind: 'found', columns, rows: await find(database, id as number, clock.now()) })
    } else settled.push(condition)
  }
  return settled
}

/** One record. */
export async function show(engine: Engine, resource: Resource, request: ActionRequest): Promise<Answer> {
  const key = keyOf(request)
  const { hidden, refusal } = restrictionOf(resource, request)
  const representation = resource.answers?.show ?? 'record'
  const record = await runRecord(engine, resource, representation, key, request.caller, [
    ...narrowing(resource, request),
    ...hidden,
  ])
  if (record !== undefined) return okay(record)
  if (refusal && (await findId(engine.database, resource, key)) !== undefined) throw refusal()
  throw noRecord(resource, key)
}

/** The one record below the parents in the path. */
export async function showOnly(engine: Engine, resource: Resource, request: ActionRequest): Promise<Answer> {
  const { hidden } = restrictionOf(resource, request)
  const below = await findTied(engine, narrowing(resource, request))
  const plan = planList(resource, readListRequest({ per_page: '1' }), [...below, ...hidden])
  const { records } = await runList(engine, plan, resource.answers?.show ?? 'record', request.caller)
  if (records[0] !== undefined) return okay(records[0])
  await parentIds(engine.database, request.parents)
  throw notFound(`There is no ${resource.singular} here.`)
}

/** What of a resource's own pages is not shown to the caller, and the refusal that says why. */
export function restrictionOf({ restricted }: Resource, { caller }: Pick<ActionRequest, 'caller'>) {
  const refusal = restricted && refusalOf(restricted.access, caller)
  const hidden: Condition[] = refusal ? [{ kind: 'blank', name: restricted.whileSet }] : []
  return { hidden, refusal }
}

/** The record of the person whom the token stands for. */
export async function showOwner(
  engine: Engine,
  resource: Resource,
  request: ActionRequest,
  representation: string,
): Promise<Answer> {
  const id = request.caller.resourceOwnerId
  const record = id === null ? undefined : await runRecord(engine, resource, representation, { id }, request.caller)
  if (record === undefined) throw noOwner()
  return okay(record)
}

/** Counts by bucket of time. */
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
  await parentIds(engine.database, request.parents)
  const timeZone =
    askedZone ??
    (await timeZoneOf(engine.database, request.parents)) ??
    (await filteredTimeZone(engine, resource, conditions)) ??
    'UTC'
  const { body, total } = await runGraph(engine, resource, conditions, asked, timeZone, request.caller)
  return okay(body, { 'x-total': String(total) })
}

/** The time zone of the nearest parent that has one. */
async function timeZoneOf(handle: Handle, parents: readonly ParentCondition[]): Promise<string | undefined> {
  const zoned = parents.findLast(({ parent }) => parent.timeZone)
  if (!zoned?.parent.timeZone) return undefined
  return knownTimeZone(await findValue(handle, zoned.parent, zoned.key, zoned.parent.timeZone))
}

const LARGEST_ID = 2_147_483_647

/** The time zone of the one record by which the list is filtered, where such records have one. */
async function filteredTimeZone(
  { database, registry }: Engine,
  resource: Resource,
  conditions: readonly Condition[],
): Promise<string | undefined> {
  for (const condition of conditions) {
    if (condition.kind !== 'filter' || condition.values.length !== 1) continue
    const [id] = condition.values
    const references = resource.stored(condition.name)?.references
    const target = references === undefined ? undefined : registry.get(references)
    if (target?.timeZone === undefined || typeof id !== 'number' || id < 1 || id > LARGEST_ID) continue
    return knownTimeZone(await findValue(database, target, { id }, target.timeZone))
  }
  return undefined
}

/** A page that the domain makes about one record. */
export async function readAbout(
  engine: Engine,
  resource: Resource,
  { read, parameters = {} }: Pick<QueryActionDeclaration, 'read' | 'parameters'>,
  request: ActionRequest,
): Promise<Answer> {
  const values = readQueryParameters(parameters, request.query)
  const { database, clock } = engine
  const id = await findId(database, resource, keyOf(request))
  if (id === undefined) throw noRecord(resource, keyOf(request))
  await requireOwner(database, resource, id, request)
  const render = rendererOf(engine, request, database)
  return okay(await read(database, { id, values, caller: request.caller, now: clock.now(), render }))
}

/** Added up rather than joined: the whole is then laid out in memory once. */
function listOf(records: readonly string[]): string {
  let out = '['
  for (let at = 0; at < records.length; at += 1) out += at === 0 ? records[at] : `,${records[at]}`
  return `${out}]`
}
