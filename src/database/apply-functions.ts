import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { applyChangeTriggers, findOutdatedTriggers } from './apply-change-triggers.ts'
import { findCaptured } from './captured-tables.ts'
import type { DeclaredStorage } from './declared-storage.ts'
import { COUNTING_FUNCTIONS } from './functions/aggregates.ts'
import { CAPTURE_FUNCTIONS } from './functions/capture.ts'
import { functionText, type SqlFunction, type SqlTrigger, triggerText } from './functions/definitions.ts'
import { functionsFor, RETIRED, triggersFor } from './functions/index.ts'
import { isOfNewerRelease, noteRelease } from './schema-release.ts'
import { type AnyDatabase, anyDatabase, inTransaction } from './tables.ts'

/** Any number, for the lock under which servers that start together do this one after another. */
export const FUNCTIONS_LOCK = 4201

/** What functions and triggers follow from. */
export type DeclaredFunctions = Pick<DeclaredStorage, 'aggregates' | 'namedChanges' | 'called'>

/**
 * Brings functions and triggers of the database to their current texts, whatever their present ones. Writes only those
 * that differ, in one transaction (that of `kysely` if `isInTransaction`), and recounts rows where the way of counting differs, unless `countsLater`; gives
 * their names.
 */
export async function applyFunctions<T>(
  kysely: Kysely<T>,
  storage: DeclaredFunctions,
  { countsLater = false, isInTransaction = false } = {},
): Promise<string[]> {
  // Mostly nothing differs, which needs no lock to be seen.
  if (await areCurrent(anyDatabase(kysely), storage)) return []
  const work = async (tx: AnyDatabase) => {
    // Before anything is looked at: PostgreSQL cannot show a function that another server is just dropping.
    await sql`select pg_advisory_xact_lock(${FUNCTIONS_LOCK})`.execute(tx)
    // One that starts beside this one may have come first.
    if (await isOfNewerRelease(tx)) return []
    await noteRelease(tx)
    const { functions, triggers, retired, retiredTriggers } = await findOutdated(tx, storage)
    for (const { former, current } of functions) await replaceFunction(tx, former, current)
    for (const trigger of triggers) await replaceTrigger(tx, trigger)
    for (const { name, table } of retiredTriggers) await sql.raw(`drop trigger ${name} on ${table}`).execute(tx)
    const recounts = countsLater ? [] : functions.flatMap(({ current }) => current.recount ?? [])
    for (const recount of recounts) await sql.raw(recount).execute(tx)
    for (const signature of retired) await sql.raw(`drop function ${signature}`).execute(tx)
    const recording = await applyChangeTriggers(tx, storage)
    const changed = namesOf([...functions.map(({ current }) => current), ...triggers, ...retiredTriggers])
    return [...changed, ...retired, ...recording]
  }
  return isInTransaction ? work(anyDatabase(kysely)) : inTransaction(anyDatabase(kysely), work)
}

async function areCurrent(db: AnyDatabase, storage: DeclaredFunctions): Promise<boolean> {
  try {
    if (await isAnotherWriting(db)) return false
    const lists = [...Object.values(await findOutdated(db, storage)), await findOutdatedTriggers(db, storage)]
    return lists.every((outdated) => outdated.length === 0)
  } catch {
    return false // PostgreSQL cannot show a function that another server is just dropping.
  }
}

async function isAnotherWriting(db: AnyDatabase): Promise<boolean> {
  const { rows } = await sql<{ isFree: boolean }>`
    select pg_try_advisory_xact_lock_shared(${FUNCTIONS_LOCK}) as "isFree"
  `.execute(db)
  return rows[0]?.isFree !== true
}

const namesOf = (all: readonly { readonly name: string }[]) => all.map(({ name }) => name)

type Outdated = {
  readonly functions: readonly { readonly former: readonly Found[]; readonly current: SqlFunction }[]
  readonly triggers: readonly SqlTrigger[]
  /** With the types of their parameters. */
  readonly retired: readonly string[]
  readonly retiredTriggers: readonly Named[]
}

async function findOutdated(db: AnyDatabase, storage: DeclaredFunctions): Promise<Outdated> {
  const { aggregates } = storage
  const captured = await findCaptured(db, storage)
  const [wanted, wantedTriggers] = [functionsFor(aggregates, captured), triggersFor(aggregates)]
  const found = await findFunctions(db, namesOf(wanted))
  const triggers = await findTriggers(db, namesOf(wantedTriggers), { withCounting: true })
  const functions = wanted.map((current) => ({ former: found.filter(({ name }) => name === current.name), current }))
  return {
    functions: functions.filter(
      ({ former: [first, ...others], current }) => others.length > 0 || first?.text !== functionText(current),
    ),
    triggers: wantedTriggers.filter(
      (trigger) =>
        !triggers.some(
          ({ name, table, text, mark, isEnabled }) =>
            name === trigger.name && table === trigger.table && isEnabled && mark === markOf(trigger, text),
        ),
    ),
    retired: found.filter(({ name }) => !namesOf(wanted).includes(name)).map(({ signature }) => signature),
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

/** Those of these names, and those that a release had and this one may have no more. */
async function findFunctions(db: AnyDatabase, names: readonly string[]): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select proname as name, oid::regprocedure::text as signature, pg_get_function_arguments(oid) as parameters,
      pg_get_function_result(oid) as returns, pg_get_functiondef(oid) as text
    from pg_proc where pronamespace = 'public'::regnamespace and prokind = 'f'
      and (proname = any(${[...names, ...RETIRED]}) or proname ~ ${COUNTING_FUNCTIONS} or proname ~ ${CAPTURE_FUNCTIONS})
  `.execute(db)
  return rows
}

/** What has other parameters or another result cannot be replaced: it is dropped. */
async function replaceFunction(tx: AnyDatabase, former: readonly Found[], current: SqlFunction): Promise<void> {
  for (const { signature, parameters, returns } of former) {
    const isSame = parameters === (current.parameters ?? '') && returns === (current.returns ?? 'trigger')
    if (!isSame) await sql.raw(`drop function ${signature}`).execute(tx)
  }
  await sql.raw(functionText(current)).execute(tx)
}

type FoundTrigger = {
  readonly name: string
  readonly table: string
  readonly text: string
  readonly mark: string | null
  readonly isEnabled: boolean
  readonly isCounting: boolean
}

type Named = Pick<SqlTrigger, 'name' | 'table'>

/** Those of these names and, where it is asked, all that count: they are known by the functions that they call. */
async function findTriggers(
  db: AnyDatabase,
  names: readonly string[],
  { withCounting = false } = {},
): Promise<readonly FoundTrigger[]> {
  const isCounting = sql`(proname ~ ${COUNTING_FUNCTIONS} or proname in ('forget_counts', 'count_rows'))`
  const { rows } = await sql<FoundTrigger>`
    select t.tgname as name, c.relname as table, pg_get_triggerdef(t.oid) as text,
      obj_description(t.oid, 'pg_trigger') as mark, t.tgenabled = 'O' as "isEnabled", ${isCounting} as "isCounting"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
      and (t.tgname = any(${names}) or (${withCounting} and ${isCounting}))
  `.execute(db)
  return rows
}

async function replaceTrigger(tx: AnyDatabase, trigger: SqlTrigger): Promise<void> {
  const { name, table } = trigger
  await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(tx)
  await sql.raw(triggerText(trigger)).execute(tx)
  const made = (await findTriggers(tx, [name])).find((found) => found.table === table)
  await sql.raw(`comment on trigger ${name} on ${table} is '${markOf(trigger, made?.text ?? '')}'`).execute(tx)
}

/** PostgreSQL prints a trigger differently, so a comment on it stores the text that it was made from. */
const markOf = (trigger: SqlTrigger, shown: string) =>
  createHash('sha256')
    .update(`${triggerText(trigger)}\n${shown}`)
    .digest('hex')
