import { defined } from '../../base/defined.ts'
import { message } from '../../base/languages/say.ts'
import type { Handle } from '../../database/database.ts'
import { HttpError, unprocessable } from '../../errors.ts'
import type { CreateAction, Resource, WriteAction } from '../declare/declaration.ts'
import { quote } from '../declare/identifiers.ts'
import type { WriteContext } from '../request-context.ts'
import { mayChooseId } from '../write/chosen-ids.ts'
import { changesOf, isEmpty } from '../write/compare.ts'
import { insertAll, refusedOr } from '../write/insert-all.ts'
import { lockFor } from '../write/lock.ts'
import { type Payload, parsePayload } from '../write/parse.ts'
import { reportWrite, writeChanges } from '../write/write.ts'
import type { Entry, RowReader } from './entries.ts'
import { type Identity, identify } from './identify.ts'
import { rememberKeys } from './keys.ts'
import { resolveNames } from './resolve.ts'
import type { Fault, Row } from './row.ts'
import { unchangedAmong } from './unchanged.ts'

export type ImportPlan = {
  readonly resource: Resource
  readonly create: CreateAction
  readonly update: WriteAction | undefined
  readonly reader: RowReader
  readonly identity: Identity
  readonly run: string
}

export type BatchResult = {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly faulty: number
  readonly faults: readonly Fault[]
}

/** Writes rows as the API would write each of them, and collects the faults of the others. */
export async function importBatch(plan: ImportPlan, rows: readonly Row[], context: WriteContext): Promise<BatchResult> {
  const { handle: tx } = context
  const entries = rows.map((row) => plan.reader.read(row))
  await resolveReferences(tx, plan.reader, entries)
  const mayChoose = mayChooseId(context.engine.registry, plan.resource, context.caller)
  await identify(tx, { ...plan, mayChooseId: mayChoose }, entries)
  const payloads = parseAll(plan, entries, context)
  const valid = entries.filter(isValid)
  const added = valid.filter(({ id }) => id === undefined)
  const known = valid.filter(({ id }) => id !== undefined)
  await createAll(plan, added, payloads, context)
  const updated = await updateAll(plan, known, payloads, context)
  const written = entries.filter(isValid)
  const keys = written.flatMap(({ key, id, line }) => (key === undefined ? [] : [{ key, id: defined(id), line }]))
  await rememberKeys(tx, plan.resource, plan.run, keys)
  const created = added.filter(isValid).length
  return {
    created,
    updated,
    unchanged: written.length - created - updated,
    faulty: entries.length - written.length,
    faults: entries.flatMap(({ faults }) => faults),
  }
}

const isValid = ({ faults }: Entry) => faults.length === 0

async function resolveReferences(tx: Handle, { references }: RowReader, entries: readonly Entry[]): Promise<void> {
  for (const { column, field, by, target } of references) {
    const naming = entries.flatMap((entry) => {
      const value = entry.sent[field]
      const isName = (typeof value === 'string' && value.trim() !== '') || typeof value === 'number'
      return isName ? [{ entry, text: String(value) }] : []
    })
    const names = naming.map(({ text }) => text)
    const resolved = await resolveNames(tx, target, by, names)
    for (const { entry, text } of naming) {
      const found = resolved.get(text)
      if (found && 'id' in found) entry.sent[field] = found.id
      else if (found) {
        const fault = column === null ? message('{field} {fault}', { field, fault: found.fault }) : found.fault
        entry.faults.push({ line: entry.line, column, fault })
      }
    }
  }
}

type Payloads = ReadonlyMap<Entry, Payload>

function parseAll(
  { resource, reader }: ImportPlan,
  entries: readonly Entry[],
  { engine: { registry, wire }, caller, now }: WriteContext,
): Payloads {
  const optionsFor = ({ id }: Entry) => {
    const creating = id === undefined
    return { creating, mayChooseId: creating && mayChooseId(registry, resource, caller), now, wire }
  }
  const payloads = new Map<Entry, Payload>()
  for (const entry of entries) {
    if (entry.faults.some(({ column }) => column === null)) continue
    if (namesOtherId(resource, entry)) {
      const fault = message('must be {id} or blank, since the record has this id', { id: String(entry.id) })
      entry.faults.push(...reader.faultsOf(entry.line, { id: [fault] }))
    }
    try {
      payloads.set(entry, parsePayload(registry, resource, entry.sent, optionsFor(entry)))
    } catch (error) {
      if (!(error instanceof HttpError)) throw error
      addFaults(reader, entry, error)
    }
  }
  return payloads
}

/** Reports whether a row found by its key has another record's id. An update cannot change ids. */
function namesOtherId({ payload }: Resource, { id, sent }: Entry): boolean {
  const isBlank = sent.id === undefined || sent.id === null || String(sent.id).trim() === ''
  return id !== undefined && !isBlank && Number(sent.id) !== id && !payload?.accepts.includes('id')
}

function addFaults(reader: RowReader, entry: Entry, { errors, text }: HttpError): void {
  const said = new Set(entry.faults.map(({ column }) => column))
  const faults = reader.faultsOf(entry.line, errors ?? { base: [text] })
  entry.faults.push(...faults.filter(({ column }) => column === null || !said.has(column)))
}

async function createAll(
  { resource, create, reader }: ImportPlan,
  entries: readonly Entry[],
  payloads: Payloads,
  context: WriteContext,
): Promise<void> {
  const created = entries.map((entry) => defined(payloads.get(entry)))
  const outcomes = await insertAll(context, created, create)
  for (const [at, entry] of entries.entries()) {
    const outcome = outcomes[at]
    if (outcome instanceof HttpError) addFaults(reader, entry, outcome)
    else if (outcome) {
      entry.id = outcome.id
      await reportWrite(context, resource, { id: outcome.id, action: 'create', payload: defined(created[at]) })
    }
  }
}

/** Returns the number of changed records. */
async function updateAll(
  { resource, update, reader }: ImportPlan,
  entries: readonly Entry[],
  payloads: Payloads,
  context: WriteContext,
): Promise<number> {
  const records = entries.map((entry) => ({ id: defined(entry.id), payload: defined(payloads.get(entry)) }))
  const unchanged = await unchangedAmong(context.handle, resource, records)
  let updated = 0
  for (const [at, entry] of entries.entries()) {
    const { id, payload } = defined(records[at])
    if (unchanged.has(id)) continue
    const outcome = await refusedOr(context, () => updateOne(update, id, payload, context))
    if (outcome instanceof HttpError) addFaults(reader, entry, outcome)
    else if (outcome) updated += 1
  }
  return updated
}

async function updateOne(update: WriteAction | undefined, id: number, payload: Payload, context: WriteContext) {
  const { handle: tx, engine } = context
  const { resource } = payload
  const table = quote(resource.table)
  const lock = lockFor(engine.registry, resource, Object.keys(payload.values))
  const before = await tx.rows(`select xmin, ctid from ${table} t where id = $1 ${lock}`, [id])
  const changes = await changesOf(context, id, payload)
  if (isEmpty(changes)) return false
  if (!update) throw unprocessable({ base: ['is there already, and such records are not changed'] })
  await writeChanges(context, id, changes, update)
  await reportWrite(context, resource, { id, action: 'update', payload: changes })
  const after = await tx.rows(`select xmin, ctid from ${table} where id = $1`, [id])
  return String(before) !== String(after) || Object.keys(changes.values).length === 0
}
