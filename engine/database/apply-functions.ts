import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { applyChangeTriggers, findOutdatedTriggers } from './apply-change-triggers.ts'
import { findCaptured } from './captured-tables.ts'
import { functionsFor, RETIRED_FUNCTIONS, triggersFor } from './current-functions.ts'
import type { DeclaredStorage } from './declared-storage.ts'
import { COUNTING_FUNCTIONS } from './functions/aggregates.ts'
import { CAPTURE_FUNCTIONS } from './functions/capture.ts'
import { functionText, type SqlFunction, type SqlTrigger, triggerText } from './functions/definitions.ts'
import { isOfNewerRelease, noteRelease } from './schema-release.ts'
import { isNobodyAtWork, whileAlone, withShortLocks } from './short-locks.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from './tables.ts'

/** Number of the lock for processes that start together. */
export const FUNCTIONS_LOCK = 4201
const POLL_MS = 100

export type DeclaredFunctions = Omit<DeclaredStorage, 'indexes' | 'searches'>

type Options = {
  /** The caller recounts rows later. */
  readonly countsLater?: boolean
  readonly contracts?: () => Promise<boolean>
}

/**
 * Brings functions and triggers to their current texts, and recounts rows if the way of counting has changed. Writes only what differs:
 * beside a running service, table by table with short locks; within a transaction, all at once. Returns the names.
 */
export async function applyFunctions<T>(
  kysely: Kysely<T>,
  storage: DeclaredFunctions,
  { countsLater = false, contracts: ask = async () => true }: Options = {},
): Promise<string[]> {
  const db = anyDatabase(kysely)
  // A transaction would hold the shared lock of this check until its end, and two such transactions would deadlock.
  if (db.isTransaction) await whileAlone(db, FUNCTIONS_LOCK, async () => {})
  // The usual case, in which nothing differs, needs no lock.
  if (await areCurrent(db, storage, true)) return []
  const contracts = await ask()
  if (!contracts && (await areCurrent(db, storage, false))) return []
  return whileAlone(db, FUNCTIONS_LOCK, async (one) => {
    // Another process may have come first.
    if (await isOfNewerRelease(one)) return []
    await noteRelease(one)
    const outdated = await findOutdated(one, storage)
    const changed = await replaceOutdated(one, outdated, contracts)
    const recording = await applyChangeTriggers(one, storage)
    await recount(one, outdated, countsLater)
    // Replaced functions are not retired any more.
    const dropped = contracts ? await dropRetired(one, await findOutdated(one, storage)) : []
    return [...changed, ...dropped, ...recording]
  })
}

/** Replaces shared functions first, then the functions of each table together with its triggers. */
async function replaceOutdated(
  db: AnyDatabase,
  { functions, triggers }: Outdated,
  contracts: boolean,
): Promise<readonly string[]> {
  const current = functions.filter(({ current }) => !current.recount)
  const byTable = Map.groupBy(triggers, ({ table }) => table)
  const callsOf = (table: string) => new Set(byTable.get(table)?.map(({ call }) => call.slice(0, call.indexOf('('))))
  const tableOf = ({ current: { name } }: OutdatedFunction) => {
    const tables = [...byTable.keys()].filter((table) => callsOf(table).has(name))
    return tables.length === 1 ? tables[0] : undefined
  }
  const functionsOf = Map.groupBy(current, tableOf)
  await withShortLocks(db, async (tx) => {
    for (const one of functionsOf.get(undefined) ?? []) await replaceFunction(tx, one, contracts)
  })
  for (const [table, changed] of byTable)
    await withShortLocks(db, async (tx) => {
      for (const one of functionsOf.get(table) ?? []) await replaceFunction(tx, one, contracts)
      for (const trigger of changed) await replaceTrigger(tx, trigger)
    })
  return namesOf([...functions.map(({ current }) => current), ...triggers])
}

/** Recounts rows when no transaction counts in the former way any more. Replaces the function together with the counts. */
async function recount(db: AnyDatabase, { functions }: Outdated, countsLater: boolean): Promise<void> {
  const counting = functions.filter(({ current }) => current.recount)
  if (counting.length === 0) return
  if (!db.isTransaction && !countsLater) await othersEnded(db)
  for (const one of counting)
    await inTransaction(db, async (tx) => {
      await replaceFunction(tx, one, true)
      if (!countsLater) await sql.raw(one.current.recount ?? '').execute(tx)
    })
}

async function othersEnded(db: AnyDatabase): Promise<void> {
  const { rows } = await sql<{ now: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as now`.execute(db)
  for (;;) {
    const { rows: left } =
      await sql`select where pg_snapshot_xmin(pg_current_snapshot()) < ${rows[0]?.now}::xid8`.execute(db)
    if (left.length === 0) return
    await sleep(POLL_MS)
  }
}

async function dropRetired(db: AnyDatabase, { retired, retiredTriggers }: Outdated): Promise<readonly string[]> {
  for (const [table, triggers] of Map.groupBy(retiredTriggers, ({ table }) => table))
    await withShortLocks(db, async (tx) => {
      for (const { name } of triggers) await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(tx)
    })
  for (const signature of retired) await sql.raw(`drop function if exists ${signature}`).execute(db)
  return [...namesOf(retiredTriggers), ...retired]
}

async function areCurrent(db: AnyDatabase, storage: DeclaredFunctions, contracts: boolean): Promise<boolean> {
  try {
    if (!(await isNobodyAtWork(db, FUNCTIONS_LOCK))) return false
    const { functions, triggers, ...retired } = await findOutdated(db, storage)
    if (functions.length + triggers.length > 0) return false
    if (contracts && (retired.retired.length > 0 || retired.retiredTriggers.length > 0)) return false
    return (await findOutdatedTriggers(db, storage)).length === 0
  } catch {
    return false // PostgreSQL cannot show a function that another server is just dropping.
  }
}

export async function hasRetired<T>(kysely: Kysely<T>, storage: DeclaredFunctions): Promise<boolean> {
  const { retired, retiredTriggers } = await findOutdated(anyDatabase(kysely), storage)
  return retired.length + retiredTriggers.length > 0
}

const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)

type OutdatedFunction = { readonly former: readonly Found[]; readonly current: SqlFunction }

type Outdated = {
  readonly functions: readonly OutdatedFunction[]
  readonly triggers: readonly SqlTrigger[]
  readonly retired: readonly string[]
  readonly retiredTriggers: readonly Named[]
}

export async function findOutdated(db: AnyDatabase, storage: DeclaredFunctions): Promise<Outdated> {
  const captured = await findCaptured(db, storage)
  const [wanted, wantedTriggers] = [functionsFor(storage, captured), triggersFor(storage)]
  const found = await findFunctions(db, [...namesOf(wanted), ...RETIRED_FUNCTIONS, ...storage.retiredFunctions])
  const triggers = await findTriggers(db, namesOf(wantedTriggers), { withCounting: true })
  const functions = wanted.map((current) => ({ former: found.filter(({ name }) => name === current.name), current }))
  return {
    functions: functions.filter(({ former, current }) => !former.some(({ text }) => text === functionText(current))),
    triggers: wantedTriggers.filter(
      (trigger) =>
        !triggers.some(
          ({ name, table, text, mark, enabled }) =>
            name === trigger.name &&
            table === trigger.table &&
            enabled === enabledOf(trigger) &&
            mark === markOf(trigger, text),
        ),
    ),
    retired: found
      .filter((one) => !wanted.some((current) => current.name === one.name && isSameSignature(one, current)))
      .map(({ signature }) => signature),
    retiredTriggers: triggers.filter(
      ({ name, table, isCounting }) =>
        isCounting && !wantedTriggers.some((trigger) => trigger.name === name && trigger.table === table),
    ),
  }
}

type Found = {
  readonly name: string
  readonly signature: string
  readonly parameters: string
  readonly returns: string
  readonly text: string
}

async function findFunctions(db: AnyDatabase, names: readonly string[]): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select proname as name, oid::regprocedure::text as signature, pg_get_function_arguments(oid) as parameters,
      pg_get_function_result(oid) as returns, pg_get_functiondef(oid) as text
    from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
      and (proname = any(${names}) or proname ~ ${COUNTING_FUNCTIONS} or proname ~ ${CAPTURE_FUNCTIONS})
  `.execute(db)
  return rows
}

const isSameSignature = ({ parameters, returns }: Found, current: SqlFunction) =>
  parameters === (current.parameters ?? '') && returns === (current.returns ?? 'trigger')

/** Replaces a function. Drops former versions with another result, and those with other parameters only if `contracts`. */
async function replaceFunction(
  tx: AnyDatabase,
  { former, current }: OutdatedFunction,
  contracts: boolean,
): Promise<void> {
  for (const one of former) {
    const isInTheWay = contracts || one.parameters === (current.parameters ?? '')
    if (!isSameSignature(one, current) && isInTheWay) await sql.raw(`drop function ${one.signature}`).execute(tx)
  }
  await sql.raw(functionText(current)).execute(tx)
}

type FoundTrigger = {
  readonly name: string
  readonly table: string
  readonly text: string
  readonly mark: string | null
  readonly enabled: string
  readonly isCounting: boolean
}

type Named = Pick<SqlTrigger, 'name' | 'table'>

/** Finds triggers by name and, if requested, all counting triggers, which are recognized by their functions. */
async function findTriggers(
  db: AnyDatabase,
  names: readonly string[],
  { withCounting = false } = {},
): Promise<readonly FoundTrigger[]> {
  const isCounting = sql`(proname ~ ${COUNTING_FUNCTIONS} or proname in ('forget_counts', 'count_rows'))`
  const { rows } = await sql<FoundTrigger>`
    select t.tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as text,
      obj_description(t.oid, 'pg_trigger') as mark, t.tgenabled as enabled, ${isCounting} as "isCounting"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
      and (t.tgname = any(${names}) or (${withCounting} and ${isCounting}))
  `.execute(db)
  return rows
}

/** Replaces a trigger while others read its table, except deferred ones, which are dropped first. */
async function replaceTrigger(tx: AnyDatabase, trigger: SqlTrigger): Promise<void> {
  const { name, table, isDeferred } = trigger
  if (isDeferred) await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(tx)
  await sql
    .raw(isDeferred ? triggerText(trigger) : triggerText(trigger).replace(/^create/, 'create or replace'))
    .execute(tx)
  await sql.raw(`alter table ${table} enable ${trigger.isAlways ? 'always ' : ''}trigger ${name}`).execute(tx)
  const made = (await findTriggers(tx, [name])).find((found) => found.table === table)
  await sql.raw(`comment on trigger ${name} on ${table} is '${markOf(trigger, made?.text ?? '')}'`).execute(tx)
}

const enabledOf = ({ isAlways }: SqlTrigger) => (isAlways ? 'A' : 'O')

/** PostgreSQL prints a trigger differently, so a comment on it stores a hash of its text. */
const markOf = (trigger: SqlTrigger, shown: string) =>
  createHash('sha256')
    .update(`${triggerText(trigger)}\n${shown}`)
    .digest('hex')
