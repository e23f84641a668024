import { hash } from 'node:crypto'
import type { Renderer } from '../../actions.ts'
import type { Handle, RowsOptions } from '../../database/handle.ts'
import type { TextRow } from '../../database/text-query.ts'
import { defined } from '../../defined.ts'
import type { Caller } from '../../http/caller.ts'
import type { Condition, RecordKey } from '../condition.ts'
import type { Resource } from '../declare/declaration.ts'
import { integerKind } from '../declare/fields/kinds.ts'
import { NOW } from '../declare/placeholders.ts'
import type { Query } from '../declare/sql-builder.ts'
import type { TimeDependency } from '../declare/time-dependency.ts'
import type { Viewer } from '../declare/viewer.ts'
import type { Engine } from '../engine.ts'
import { fillMarks, MissingRecord } from '../represent/deferred-embeds.ts'
import { MissingFragment, type OwnTexts } from '../represent/fragments.ts'
import type { Representation } from '../represent/representation.ts'
import { countQuery, expiryQuery } from './count-query.ts'
import type { Plan, WholeList } from './plan.ts'
import { chunkQuery, insertedQuery, pageQuery, recordQuery, recordsQuery } from './query.ts'
import { decidingTables, timeDependenciesOf } from './where.ts'

/** A page of a list: the records as JSON texts, and how many there are in all. */
export type Page = { readonly records: readonly string[]; readonly total: number }

/**
 * Runs a list. The total is exact; it is counted only when a row of its tables has changed since the last time, or the clock has
 * come to what changes it.
 */
export async function runList(engine: Engine, plan: Plan, representationName: string, caller: Caller): Promise<Page> {
  const representation = engine.representations.representation(plan.resource, representationName)
  const view = { caller, now: engine.clock.now() }
  const count = countQuery(plan, view)
  const moments = timeDependenciesOf(plan.resource, plan.conditions)
  const key = keyOf(count)
  const tables = decidingTables(plan.resource, plan.conditions)
  const version = engine.database.changes.versionOf(tables)
  const kept = moments && engine.totals.get(key, tables)
  const now = view.now.getTime()
  const known = kept && kept.since <= now && now < kept.until ? kept.total : undefined
  const page = pageQuery(plan, representation, view)
  const reading = { engine, view, handle: engine.database }
  if (known !== undefined) {
    if (plan.offset >= known) return { records: [], total: known }
    return { records: await readRecords(reading, representation, page), total: known }
  }

  const [records, [totalRow], until] = await Promise.all([
    readRecords(reading, representation, page),
    engine.database.rows(count.text, count.values),
    nextExpiry(engine.database, moments ?? [], view),
  ])
  const total = Number(totalRow?.[0])
  if (moments) engine.totals.set(key, { total, since: now, until }, tables, version)
  return { records, total }
}

/** When the first of these comes, in milliseconds. */
async function nextExpiry(handle: Handle, moments: readonly Required<TimeDependency>[], view: Viewer): Promise<number> {
  if (moments.length === 0) return Number.POSITIVE_INFINITY
  const { text, values } = expiryQuery(moments, view)
  const [row] = await handle.rows(text, values)
  return row?.[0] ? Number(row[0]) : Number.POSITIVE_INFINITY
}

/** One record as JSON text, or undefined when there is none. Inside a transaction, `handle` is its own, which this may end. */
export async function runRecord(
  engine: Engine,
  resource: Resource,
  representationName: string,
  key: RecordKey,
  caller: Caller,
  extra: readonly Condition[] = [],
  handle: Handle = engine.database,
  options: RowsOptions = {},
): Promise<string | undefined> {
  const representation = engine.representations.representation(resource, representationName)
  const view = { caller, now: engine.clock.now() }
  const query = recordQuery(resource, representation, key, extra, view)
  const [record] = await readRecords({ engine, view, handle, options }, representation, query)
  return record
}

/** What makes a record, and its id in SQL after that. */
type Insertion = { readonly first: Query; readonly id: string }

/**
 * Makes a record and ends the transaction of `handle`, all by one message: gives its id and the record as JSON text. Undefined
 * where more has to be read for that; then nothing is made.
 */
export async function runInsertAndRead(
  engine: Engine,
  resource: Resource,
  representationName: string,
  { first, id }: Insertion,
  caller: Caller,
  handle: Handle,
): Promise<{ readonly id: number; readonly record: string } | undefined> {
  const representation = engine.representations.representation(resource, representationName)
  if (representation.deferred.size > 0 || !engine.fragments.areFresh(representation.fragments)) return undefined
  const view = { caller, now: engine.clock.now() }
  const { text, values } = insertedQuery(representation, id, view)
  const rows = await handle.rows(text, values, { first, isLast: true })
  const [record] = await writeRows(afterwards({ engine, view, handle }), representation, rows, undefined)
  return { id: Number(rows[0]?.at(-1)), record: defined(record) }
}

/** What puts records into what the domain tells a caller. */
export const rendererOf =
  (engine: Engine, { caller }: { readonly caller: Caller }, handle: Handle): Renderer['render'] =>
  async (name, representation, id) =>
    (await runRecord(engine, engine.registry.get(name), representation, { id }, caller, [], handle)) ?? 'null'

/** Those of the records with these ids that the conditions leave, as JSON texts. */
export async function runRecords(
  engine: Engine,
  resource: Resource,
  representationName: string,
  ids: readonly number[],
  extra: readonly Condition[],
  caller: Caller,
  handle: Handle = engine.database,
): Promise<readonly string[]> {
  const representation = engine.representations.representation(resource, representationName)
  const named: Condition = { kind: 'filter', name: 'id', type: integerKind, values: ids }
  const plan: Plan = {
    resource,
    conditions: [named, ...extra],
    order: [{ name: 'id', descending: false }],
    limit: ids.length,
    offset: 0,
  }
  const view = { caller, now: engine.clock.now() }
  return readRecords({ engine, view, handle }, representation, pageQuery(plan, representation, view))
}

/** Those of a list's records that have these ids, in the order of the ids, as JSON texts. */
export async function runChunk(
  engine: Engine,
  list: WholeList,
  representationName: string,
  ids: readonly string[],
  { view, handle }: { readonly view: Viewer; readonly handle: Handle },
): Promise<readonly string[]> {
  const representation = engine.representations.representation(list.resource, representationName)
  return readRecords({ engine, view, handle }, representation, chunkQuery(list, representation, ids, view))
}

const MAX_KEY = 500

/** What a total is kept under, at whatever time; clients choose how long their filters are, and so many of them would fill the memory. */
function keyOf({ text, values, nowAt }: Query): string {
  const key = `${text} ${JSON.stringify(values.map((value, at) => (nowAt?.includes(at) ? NOW : value)))}`
  return key.length <= MAX_KEY ? key : hash('sha256', key)
}

type ReadContext = {
  readonly engine: Engine
  readonly view: Viewer
  readonly handle: Handle
  readonly options?: RowsOptions
}

const MAX_ATTEMPTS = 3

/** Records as JSON texts, again from the start where something that they show went away meanwhile. */
async function readRecords(
  reading: ReadContext,
  representation: Representation,
  query: Query,
): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await readTexts(reading, representation, query)).texts
    } catch (error) {
      if (!(error instanceof MissingRecord) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

type Texts = { readonly rows: readonly TextRow[]; readonly texts: readonly string[] }

/** Rows and the records that they are, as JSON texts. Throws MissingRecord. */
async function readTexts(
  reading: ReadContext,
  representation: Representation,
  { text, values }: Query,
): Promise<Texts> {
  const { engine, handle, options } = reading
  const { fragments, deferred } = representation
  const own = engine.fragments.areFresh(fragments) ? undefined : await engine.fragments.load(fragments, handle)
  if (deferred.size === 0) {
    const rows = await handle.rows(text, values, options)
    return { rows, texts: await writeRows(options?.isLast ? afterwards(reading) : reading, representation, rows, own) }
  }
  // What is read apart comes after it, by as many statements as it takes.
  const within = { ...reading, options: {} }
  const rows = await handle.rows(text, values)
  const texts = await writeRows(within, representation, rows, own)
  return { rows, texts: await fillMarks(texts, (key, ids) => readDeferred(within, key, ids)) }
}

/** Once the transaction is over, which others see all of. */
const afterwards = (reading: ReadContext): ReadContext => ({ ...reading, handle: reading.engine.database, options: {} })

async function writeRows(
  { engine, handle }: ReadContext,
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
  reading: ReadContext,
  key: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const representation = reading.engine.representations.representationOf(key)
  const { rows, texts } = await readTexts(reading, representation, recordsQuery(representation, ids, reading.view))
  return new Map(texts.map((text, index) => [defined(rows[index]?.at(-1)), text]))
}
