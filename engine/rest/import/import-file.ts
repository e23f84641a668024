import { randomUUID } from 'node:crypto'
import { extname } from 'node:path'
import { message, verbatim } from '../../base/languages/say.ts'
import { sessionSetting } from '../../base/service.ts'
import { nearest } from '../../base/text/nearest.ts'
import type { Handle } from '../../database/database.ts'
import type { Caller } from '../../http/caller.ts'
import { type Actions, type CreateAction, embeddedOnly, type Resource } from '../declare/declaration.ts'
import type { Registry } from '../declare/registry.ts'
import type { Engine } from '../engine.ts'
import { columnsOf } from '../export/columns.ts'
import { requestContext } from '../request-context.ts'
import { mayChooseId, takesChosenIds } from '../write/chosen-ids.ts'
import { RowReader } from './entries.ts'
import { fileText } from './file-text.ts'
import type { Identity } from './identify.ts'
import { type BatchResult, type ImportPlan, importBatch } from './import-batch.ts'
import type { Mapping } from './mapping.ts'
import { readCsv } from './read-csv.ts'
import { readNdjson } from './read-ndjson.ts'
import { type Fault, MAX_CHARACTERS, type Row, requireFewColumns, UnreadableFile } from './row.ts'
import { checkMapping, proposeMapping, requireKnown } from './targets.ts'

export type ImportOptions = {
  readonly resource: string
  readonly file: string
  readonly format?: 'csv' | 'ndjson' | undefined
  readonly encoding?: string | undefined
  readonly delimiter?: string | undefined
  /** Time zone of times without an offset. Defaults to UTC. */
  readonly timeZone?: string | undefined
  /** Defaults to a mapping by column name. */
  readonly mapping?: Mapping | undefined
  /** Column with the key of each row in its source. */
  readonly key?: string | undefined
  readonly hasOwnIds?: boolean
  /** `good rows` imports valid rows even if others are faulty. */
  readonly takes: 'all or nothing' | 'good rows'
  /** Writes everything and rolls it back. */
  readonly isTrial?: boolean
  readonly sendsWebhooks?: boolean
  readonly caller: Caller
  /** Runs before the first row of `all or nothing`, in the transaction, and again on a retry. */
  readonly onBegin?: (tx: Handle) => Promise<void>
  /** Runs after the last row of `all or nothing`, in the transaction, unless it is a trial or a row is faulty. */
  readonly onEnd?: (tx: Handle, report: ImportReport) => Promise<void>
  /** Receives the number of bytes read since the last call. */
  readonly onBytes?: (count: number) => void
}

export type ImportReport = Omit<BatchResult, 'faults'> & {
  readonly resource: string
  readonly isKept: boolean
  readonly rows: number
  /** Number of rows with fewer cells than the first line. */
  readonly short: number
  readonly faults: readonly Fault[]
  /** Number of faults that are not listed. */
  readonly untold: number
  /** Required fields that no column fills. Only a trial reports them. */
  readonly unfilled: readonly string[]
  readonly mapping: Mapping
}

const ROWS_AT_A_TIME = 1_000
/** Long rows are written fewer at a time. */
const CHARACTERS_AT_A_TIME = 8 * MAX_CHARACTERS
const MAX_FAULTS = 10_000

/** Imports a file with the checks and actions of the API. Throws UnreadableFile for errors of the file as a whole. */
export async function importFile(engine: Engine, options: ImportOptions): Promise<ImportReport> {
  const { database, registry } = engine
  const { isTrial = false, takes, caller } = options
  const resource = importable(registry, options.resource)
  const columns = await columnsIn(options)
  const mapping = options.mapping ?? proposed(registry, resource, columns, options)
  checkMapping(registry, resource, mapping)
  requireColumns(mapping, columns, options)
  requireMayChooseIds(registry, resource, mapping, caller)
  let tally = new Tally()
  const unfilled = unfilledOf(resource, mapping, options)
  if (unfilled.length > 0) {
    if (isTrial) return { ...tally.report(resource, mapping, false), unfilled }
    throw new UnreadableFile(
      message('No column of the file is {fields}, which every record needs.', { fields: unfilled.join(', ') }),
    )
  }
  const plan = planImport(registry, resource, mapping, options)
  const write = async (tx: Handle, rows: readonly Row[]) => {
    if (options.sendsWebhooks === false)
      await tx.rows(`select set_config('${sessionSetting('webhooks')}', 'off', true)`)
    return importBatch(plan, rows, { ...requestContext(engine, caller, tx), ownOnly: false })
  }
  if (takes === 'good rows' && !isTrial) {
    for await (const rows of batches(rowsWithIdsFirst(mapping, options)))
      tally.add(rows, await database.transaction((tx) => write(tx, rows)))
    return tally.report(resource, mapping, true)
  }
  const undone = new Error('what was imported is taken back')
  await database
    .transaction(async (tx) => {
      // A retried transaction starts over.
      tally = new Tally()
      await options.onBegin?.(tx)
      for await (const rows of batches(rowsWithIdsFirst(mapping, options))) tally.add(rows, await write(tx, rows))
      if (isTrial || tally.hasFaults) throw undone
      await options.onEnd?.(tx, tally.report(resource, mapping, true))
    })
    .catch((error) => {
      if (error !== undone) throw error
    })
  return tally.report(resource, mapping, !isTrial && !tally.hasFaults)
}

function importable(registry: Registry, name: string): Importable {
  const able = registry.resources.filter(isImportable)
  const found = able.find((resource) => resource.name === name)
  if (found) return found
  const names = able.map((resource) => resource.name)
  const near = nearest(name, names)
  const hint = near === undefined ? `: ${names.join(', ')}` : `. Did you mean "${near}"?`
  throw new UnreadableFile(verbatim(`${JSON.stringify(name)} is nothing that can be imported${hint}`))
}

type Importable = Resource & { readonly actions: Actions & { readonly create: CreateAction } }

/** Excludes resources that return secrets, take files or create several records per payload. */
export function isImportable(resource: Resource): resource is Importable {
  const { actions, payload } = resource
  if (actions === embeddedOnly || !actions.create || actions.create.onlyBelow) return false
  return !actions.create.oneTimeValues && !actions.create.performSeveral && !payload?.files
}

function planImport(registry: Registry, resource: Importable, mapping: Mapping, options: ImportOptions): ImportPlan {
  const { create, update } = resource.actions
  const identity = identityOf(resource, mapping, options)
  const key = identity.by === 'key' ? identity.column : identity.by === 'id' ? 'id' : undefined
  if (options.takes === 'good rows' && !options.isTrial && key === undefined) {
    throw new UnreadableFile(
      verbatim('To go on after an interruption, good rows need a key: --key names the column that has one.'),
    )
  }
  const reader = new RowReader(registry, resource, mapping, {
    key,
    hasOwnIds: identity.by === 'id',
    timeZone: options.timeZone ?? 'UTC',
  })
  return { resource, create, update, reader, identity, run: randomUUID() }
}

function identityOf({ identifiedBy }: Resource, { columns }: Mapping, { key, hasOwnIds }: ImportOptions): Identity {
  if (key === undefined) return hasOwnIds ? { by: 'id' } : { by: 'nothing' }
  if (hasOwnIds)
    throw new UnreadableFile(verbatim('A row is known again by a key or by an id of this service, not by both.'))
  const field = columns[key]?.field
  return { by: 'key', column: key, field: field === identifiedBy ? field : undefined }
}

/** Returns the mapping that the columns suggest. Refuses unknown columns unless it is a trial. */
function proposed(registry: Registry, resource: Resource, columns: readonly string[], options: ImportOptions): Mapping {
  const { isTrial: mayGuess = false, key } = options
  const mapping = proposeMapping(registry, resource, columns, { mayGuess })
  const answers = new Set(['record', resource.answers?.index ?? 'record', resource.answers?.show ?? 'record'])
  const shown = new Set(
    [...answers].flatMap((name) => columnsOf(registry, resource, name).map((column) => column.name)),
  )
  const isShown = (column: string) => shown.has(column) || column === key || column === 'id'
  const isPartOfShown = (column: string) => [...shown].some((name) => name.startsWith(`${column}.`))
  if (!mayGuess) requireKnown(registry, resource, mapping, (column) => isShown(column) || isPartOfShown(column))
  return mapping
}

function requireMayChooseIds(registry: Registry, resource: Resource, mapping: Mapping, caller: Caller): void {
  const { columns, constants } = mapping
  const fields = [...Object.values(columns).map((to) => to?.field), ...Object.keys(constants)]
  if (fields.includes('id') && takesChosenIds(resource) && !mayChooseId(registry, resource, caller))
    throw new UnreadableFile(
      message('Choosing ids requires the role {role}.', { role: registry.access.chosenIds.role }),
    )
}

function requireColumns(mapping: Mapping, columns: readonly string[], options: ImportOptions): void {
  const identifying = options.hasOwnIds ? 'id' : options.key
  const named = [...Object.keys(mapping.columns), ...(identifying === undefined ? [] : [identifying])]
  const missing = named.filter((column) => !columns.includes(column))
  if (missing.length > 0) {
    const list = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ')
    throw new UnreadableFile(
      message('The file has no column {missing}; it has {columns}.', {
        missing: list(missing),
        columns: list(columns),
      }),
    )
  }
}

/** Returns the required fields that no column provides, or none if the records may exist. */
function unfilledOf({ payload }: Resource, mapping: Mapping, options: ImportOptions): readonly string[] {
  if (options.hasOwnIds || options.key !== undefined) return []
  const filled = new Set([
    ...Object.values(mapping.columns).flatMap((to) => to?.field ?? []),
    ...Object.keys(mapping.constants),
  ])
  const { requires = [], extra = {} } = payload ?? {}
  const needed = [...requires, ...Object.keys(extra).filter((name) => extra[name]?.required)]
  return needed.filter((name) => !filled.has(name))
}

async function columnsIn(options: ImportOptions): Promise<readonly string[]> {
  const columns = new Set<string>()
  let rows = 0
  // The first rows of NDJSON may lack members of later ones.
  for await (const { cells } of rowsIn({ ...options, onBytes: () => {} })) {
    for (const column of Object.keys(cells)) columns.add(column)
    requireFewColumns(columns.size)
    rows += 1
    if (rows >= ROWS_AT_A_TIME) break
  }
  return [...columns]
}

function rowsIn({
  file,
  format,
  encoding = 'utf-8',
  delimiter,
  onBytes = () => {},
}: ImportOptions): AsyncGenerator<Row> {
  const isNdjson = (format ?? extname(file).slice(1).toLowerCase()).replace('jsonl', 'ndjson') === 'ndjson'
  const text = fileText(file, encoding, onBytes)
  return isNdjson ? readNdjson(text) : readCsv(text, { delimiter })
}

/** Yields rows with chosen ids first, so that the sequence does not assign one of these ids to another row. */
async function* rowsWithIdsFirst({ columns }: Mapping, options: ImportOptions): AsyncGenerator<Row> {
  const column = Object.keys(columns).find((name) => columns[name]?.field === 'id')
  if (column === undefined) {
    yield* rowsIn(options)
    return
  }
  const hasId = ({ cells }: Row) => String(cells[column] ?? '').trim() !== ''
  for await (const row of rowsIn(options)) if (hasId(row)) yield row
  for await (const row of rowsIn({ ...options, onBytes: () => {} })) if (!hasId(row)) yield row
}

async function* batches(rows: AsyncIterable<Row>): AsyncGenerator<readonly Row[]> {
  let batch: Row[] = []
  let size = 0
  for await (const row of rows) {
    batch.push(row)
    size += row.size
    if (batch.length < ROWS_AT_A_TIME && size < CHARACTERS_AT_A_TIME) continue
    yield batch
    batch = []
    size = 0
  }
  if (batch.length > 0) yield batch
}

class Tally {
  #rows = 0
  #short = 0
  #counts = { created: 0, updated: 0, unchanged: 0, faulty: 0 }
  #faults: Fault[] = []
  #untold = 0

  get hasFaults(): boolean {
    return this.#counts.faulty > 0
  }

  add(rows: readonly Row[], { faults, ...counts }: BatchResult): void {
    this.#rows += rows.length
    this.#short += rows.filter(({ isShort }) => isShort).length
    for (const name of ['created', 'updated', 'unchanged', 'faulty'] as const) this.#counts[name] += counts[name]
    const listed = faults.slice(0, MAX_FAULTS - this.#faults.length)
    this.#faults.push(...listed)
    this.#untold += faults.length - listed.length
  }

  report({ name }: Resource, mapping: Mapping, isKept: boolean): ImportReport {
    return {
      resource: name,
      isKept,
      rows: this.#rows,
      short: this.#short,
      ...this.#counts,
      faults: this.#faults.toSorted((one, other) => one.line - other.line),
      untold: this.#untold,
      unfilled: [],
      mapping,
    }
  }
}
