import { hash } from 'node:crypto'
import type { Renderer } from '../../actions.ts'
import { defined } from '../../base/defined.ts'
import type { RowsOptions } from '../../database/handle.ts'
import type { TextRow } from '../../database/text-query.ts'
import type { Condition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { integerKind } from '../declare/fields/kinds.ts'
import { NOW } from '../declare/placeholders.ts'
import type { TimeDependency } from '../declare/sql.ts'
import type { Query } from '../declare/sql-builder.ts'
import { fillMarks, MissingRecord } from '../represent/deferred-embeds.ts'
import { MissingFragment, type OwnTexts } from '../represent/fragments.ts'
import type { Representation } from '../represent/representation.ts'
import type { RequestContext } from '../request-context.ts'
import { countQuery, expiryQuery } from './count-query.ts'
import type { Plan, WholeList } from './plan.ts'
import { chunkQuery, idsQuery, insertedQuery, pageQuery, recordQuery, recordsQuery } from './query.ts'
import { decidingTables, timeDependenciesOf } from './where.ts'

/** A page of a list: the records as JSON texts, and how many there are in all. */
export type Page = { readonly records: readonly string[]; readonly total: number }

/**
 * Runs a list. The total is exact; it is counted only when a row of its tables has changed since the last time, or the clock has
 * come to what changes it.
 */
export async function runList(context: RequestContext, plan: Plan, representationName: string): Promise<Page> {
  const { engine, handle } = context
  const representation = engine.representations.representation(plan.resource, representationName)
  const count = countQuery(plan, context, engine.registry.aggregates)
  const times = timeDependenciesOf(plan.resource, plan.conditions)
  const key = keyOf(count)
  const tables = decidingTables(plan.resource, plan.conditions)
  const version = engine.database.changes.versionOf(tables)
  const stored = times && engine.totals.get(key, tables)
  const now = context.now.getTime()
  const known = stored && stored.since <= now && now < stored.until ? stored.total : undefined
  const page = pageQuery(plan, representation, context)
  if (known !== undefined) {
    if (plan.offset >= known) return { records: [], total: known }
    return { records: await readRecords(context, representation, page), total: known }
  }

  const [records, [totalRow], until] = await Promise.all([
    readRecords(context, representation, page),
    handle.rows(count.text, count.values),
    nextExpiry(context, times ?? []),
  ])
  const total = Number(totalRow?.[0])
  if (times && !context.isStale) engine.totals.set(key, { total, since: now, until }, tables, version)
  return { records, total }
}

/** When the first of these comes, in milliseconds. */
async function nextExpiry(context: RequestContext, times: readonly Required<TimeDependency>[]): Promise<number> {
  if (times.length === 0) return Number.POSITIVE_INFINITY
  const { text, values } = expiryQuery(times, context)
  const [row] = await context.handle.rows(text, values)
  return row?.[0] ? Number(row[0]) : Number.POSITIVE_INFINITY
}

/** One record as JSON text, or undefined when there is none. This may end the transaction of the context. */
export async function runRecord(
  context: RequestContext,
  resource: Resource,
  representationName: string,
  key: RecordKey,
  extra: readonly Condition[] = [],
  options?: RowsOptions,
): Promise<string | undefined> {
  const representation = context.engine.representations.representation(resource, representationName)
  const query = recordQuery(resource, representation, key, extra, context)
  const [record] = await readRecords(context, representation, query, options)
  return record
}

/** The statement that inserts a record, and the id of the record in SQL afterwards. */
type Insertion = { readonly first: Query; readonly id: string }

/**
 * Inserts a record, reads it and commits, all by one message: gives its id and the record as JSON text. Undefined where reading it
 * takes further statements; then nothing is inserted.
 */
export async function runInsertAndRead(
  context: RequestContext,
  resource: Resource,
  representationName: string,
  { first, id }: Insertion,
): Promise<{ readonly id: number; readonly record: string } | undefined> {
  const { engine } = context
  const representation = engine.representations.representation(resource, representationName)
  if (representation.deferred.size > 0 || !engine.fragments.areFresh(representation.fragments)) return undefined
  const { text, values } = insertedQuery(representation, id, context)
  const rows = await context.handle.rows(text, values, { first, isLast: true })
  const [record] = await writeRows(afterTransaction(context), representation, rows, undefined)
  return { id: Number(rows[0]?.at(-1)), record: defined(record) }
}

/** What puts records into what the domain answers a caller. */
export const rendererOf =
  (context: RequestContext): Renderer['render'] =>
  async (name, representation, id) =>
    (await runRecord(context, context.engine.registry.get(name), representation, { id })) ?? 'null'

/** Those of the records with these ids that the conditions leave, as JSON texts. */
export async function runRecords(
  context: RequestContext,
  resource: Resource,
  representationName: string,
  ids: readonly number[],
  extra: readonly Condition[] = [],
): Promise<readonly string[]> {
  const representation = context.engine.representations.representation(resource, representationName)
  const plan = planAmong({ resource, conditions: extra }, ids)
  return readRecords(context, representation, pageQuery(plan, representation, context))
}

type Narrowed = Pick<Plan, 'resource' | 'conditions'>

/** Those of a list that have one of these ids. */
function planAmong({ resource, conditions }: Narrowed, ids: readonly number[]): Plan {
  const named: Condition = { kind: 'filter', name: 'id', type: integerKind, values: ids }
  return {
    resource,
    conditions: [named, ...conditions],
    order: [{ name: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  }
}

/** The records with these ids that the list has, by id, as JSON texts. */
export async function runAmong(
  context: RequestContext,
  list: Narrowed,
  representationName: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const representation = context.engine.representations.representation(list.resource, representationName)
  const query = pageQuery(planAmong(list, ids), representation, context, ', t.id')
  const { rows, texts } = await repeatedly(() => readTexts(context, representation, query))
  return new Map(texts.map((text, place) => [Number(defined(rows[place]).at(-1)), text]))
}

/** The ids of the records that the list has, in no order, at most `limit` of them; only of these ids where some are given. */
export async function runIds(
  context: RequestContext,
  { resource, conditions }: Narrowed,
  limit: number,
  among?: readonly number[],
): Promise<readonly number[]> {
  const list = among ? planAmong({ resource, conditions }, among) : { resource, conditions, order: [] }
  const { text, values } = idsQuery({ ...list, order: [] }, context)
  const rows = await context.handle.rows(`${text} limit ${limit}`, values)
  return rows.map(([id]) => Number(id))
}

/** Those of a list's records that have these ids, in the order of the ids, as JSON texts. */
export async function runChunk(
  context: RequestContext,
  list: WholeList,
  representationName: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const representation = context.engine.representations.representation(list.resource, representationName)
  return readRecords(context, representation, chunkQuery(list, representation, ids, context))
}

const MAX_KEY = 500

/** The key of a total, whatever the time; a long one, which the client's filters may make, is hashed to bound the memory. */
function keyOf({ text, values, nowAt }: Query): string {
  const key = `${text} ${JSON.stringify(values.map((value, at) => (nowAt?.includes(at) ? NOW : value)))}`
  return key.length <= MAX_KEY ? key : hash('sha256', key)
}

const MAX_ATTEMPTS = 3

/** Records as JSON texts; read again where something that they embed was deleted meanwhile. */
async function readRecords(
  context: RequestContext,
  representation: Representation,
  query: Query,
  options?: RowsOptions,
): Promise<readonly string[]> {
  return (await repeatedly(() => readTexts(context, representation, query, options))).texts
}

async function repeatedly(read: () => Promise<Texts>): Promise<Texts> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof MissingRecord) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

type Texts = { readonly rows: readonly TextRow[]; readonly texts: readonly string[] }

/** Rows and the records that they are, as JSON texts. Throws MissingRecord. */
async function readTexts(
  context: RequestContext,
  representation: Representation,
  { text, values }: Query,
  options?: RowsOptions,
): Promise<Texts> {
  const { engine, handle } = context
  const { fragments, deferred } = representation
  const own = engine.fragments.areFresh(fragments) ? undefined : await engine.fragments.load(fragments, handle)
  if (deferred.size === 0) {
    const rows = await handle.rows(text, values, options)
    const after = options?.isLast ? afterTransaction(context) : context
    return { rows, texts: await writeRows(after, representation, rows, own) }
  }
  // Deferred embeds are read after it, by as many statements as it takes, so that it is not the last one.
  const rows = await handle.rows(text, values)
  const texts = await writeRows(context, representation, rows, own)
  return { rows, texts: await fillMarks(texts, (key, ids) => readDeferred(context, key, ids)) }
}

/** After the commit, outside of the transaction. */
const afterTransaction = (context: RequestContext): RequestContext => ({ ...context, handle: context.engine.database })

async function writeRows(
  { engine, handle }: RequestContext,
  { fragments, write }: Representation,
  rows: readonly TextRow[],
  own: OwnTexts | undefined,
): Promise<string[]> {
  try {
    return engine.fragments.withOwn(own, () => rows.map(write))
  } catch (error) {
    if (!(error instanceof MissingFragment)) throw error
    const newer = await engine.fragments.readOwn(fragments, handle)
    return engine.fragments.withOwn(newer, () => rows.map(write))
  }
}

/** The records with these ids, by id. */
async function readDeferred(
  context: RequestContext,
  key: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const representation = context.engine.representations.representationOf(key)
  const { rows, texts } = await readTexts(context, representation, recordsQuery(representation, ids, context))
  return new Map(texts.map((text, index) => [defined(rows[index]?.at(-1)), text]))
}
