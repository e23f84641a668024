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
import type { Plan, RecordSet, WholeList } from './plan.ts'
import { chunkQuery, idsQuery, insertedQuery, pageQuery, recordQuery, recordsQuery } from './query.ts'
import { decidingTables, timeDependenciesOf } from './where.ts'

export type Page = { readonly records: readonly string[]; readonly total: number }

/** The total is exact. It is counted again only after a change of its tables, or at a time that changes it. */
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

/** Returns the next of these times in milliseconds. */
async function nextExpiry(context: RequestContext, times: readonly Required<TimeDependency>[]): Promise<number> {
  if (times.length === 0) return Number.POSITIVE_INFINITY
  const { text, values } = expiryQuery(times, context)
  const [row] = await context.handle.rows(text, values)
  return row?.[0] ? Number(row[0]) : Number.POSITIVE_INFINITY
}

/** Returns a record as JSON text, or undefined. May end the transaction of the context. */
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

type Insertion = { readonly first: Query; readonly id: string }

/** Inserts, reads and commits in one round trip. Inserts nothing if reading takes further statements. */
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

export const rendererOf =
  (context: RequestContext): Renderer['render'] =>
  async (name, representation, id) =>
    (await runRecord(context, context.engine.registry.get(name), representation, { id })) ?? 'null'

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

function planAmong({ resource, conditions }: RecordSet, ids: readonly number[]): Plan {
  const named: Condition = { kind: 'filter', name: 'id', type: integerKind, values: ids }
  return {
    resource,
    conditions: [named, ...conditions],
    order: [{ name: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  }
}

export async function runAmong(
  context: RequestContext,
  list: RecordSet,
  representationName: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const representation = context.engine.representations.representation(list.resource, representationName)
  const query = pageQuery(planAmong(list, ids), representation, context, ', t.id')
  const { rows, texts } = await repeatedly(() => readTexts(context, representation, query))
  return new Map(texts.map((text, place) => [Number(defined(rows[place]).at(-1)), text]))
}

/** Returns at most `limit` ids of a list, in no order, and only ids of `among` if it is given. */
export async function runIds(
  context: RequestContext,
  { resource, conditions }: RecordSet,
  limit: number,
  among?: readonly number[],
): Promise<readonly number[]> {
  const list = among ? planAmong({ resource, conditions }, among) : { resource, conditions, order: [] }
  const { text, values } = idsQuery({ ...list, order: [] }, context)
  const rows = await context.handle.rows(`${text} limit ${limit}`, values)
  return rows.map(([id]) => Number(id))
}

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

/** Returns the key of a total, without the time. A long key is hashed to bound the memory. */
function keyOf({ text, values, nowAt }: Query): string {
  const key = `${text} ${JSON.stringify(values.map((value, at) => (nowAt?.includes(at) ? NOW : value)))}`
  return key.length <= MAX_KEY ? key : hash('sha256', key)
}

const MAX_ATTEMPTS = 3

/** Returns records as JSON texts. Reads again if an embedded record was deleted meanwhile. */
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

/** Throws MissingRecord. */
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
  // Deferred embeds take further statements, so this one is not the last.
  const rows = await handle.rows(text, values)
  const texts = await writeRows(context, representation, rows, own)
  return { rows, texts: await fillMarks(texts, (key, ids) => readDeferred(context, key, ids)) }
}

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

async function readDeferred(context: RequestContext, key: string, ids: readonly string[]) {
  const representation = context.engine.representations.representationOf(key)
  const { rows, texts } = await readTexts(context, representation, recordsQuery(representation, ids, context))
  return new Map(texts.map((text, index) => [defined(rows[index]?.at(-1)), text]))
}
