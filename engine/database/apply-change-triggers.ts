import { sql } from 'kysely'
import type { DeclaredStorage } from './declared-storage.ts'
import { captureTriggersOf } from './functions/capture.ts'
import { changeTriggerName, changeTriggerOf, type Recording, rowTriggersOf } from './functions/change-triggers.ts'
import { withShortLocks } from './short-locks.ts'
import type { AnyDatabase } from './tables.ts'

type Found = {
  readonly table: string
  readonly name: string | null
  readonly text: string
  readonly isAlways: boolean
  readonly isCaptured: boolean
}

type Storage = Pick<DeclaredStorage, 'called' | 'recording'>

/** Without a text, the trigger must not exist. */
type Declared = { readonly table: string; readonly name: string; readonly text: string | undefined }

/**
 * Creates the triggers that record changes of all cached tables, also while replication or a restore disables other triggers. Writes
 * only what differs. Returns the names of the triggers.
 */
export async function applyChangeTriggers(db: AnyDatabase, storage: Storage): Promise<string[]> {
  const outdated = await findOutdatedTriggers(db, storage)
  for (const triggers of Map.groupBy(outdated, ({ table }) => table).values())
    await withShortLocks(db, async (tx) => {
      for (const trigger of triggers) await replaceTrigger(tx, trigger)
    })
  return outdated.map(({ name }) => name)
}

export async function findOutdatedTriggers(db: AnyDatabase, { called, recording }: Storage): Promise<Declared[]> {
  const tables = Map.groupBy(await findTriggers(db), (found) => found.table)
  return [...tables].flatMap(([table, found]) => {
    const declared = found[0]?.isCaptured || called.has(table) ? captureTriggersOf(table) : triggersOf(table, recording)
    const names = new Set([...declared.keys(), ...found.flatMap(({ name }) => name ?? [])])
    const current = new Set(
      found.flatMap(({ name, text, isAlways }) => (name && isAlways && text === declared.get(name) ? name : [])),
    )
    return [...names].filter((name) => !current.has(name)).map((name) => ({ table, name, text: declared.get(name) }))
  })
}

function triggersOf(table: string, recording: Recording): ReadonlyMap<string, string> {
  const text = changeTriggerOf(table, recording)
  return new Map([...(text ? [[changeTriggerName(table), text] as const] : []), ...rowTriggersOf(table, recording)])
}

/** Maximum length of a service's table name, so that names of its triggers and functions fit into 63 bytes. */
const MAX_TABLE_NAME = 40

/** Finds every table of the service with its triggers. A table with another name is an operator's and is never cached. */
async function findTriggers(tx: AnyDatabase): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid) as text, t.tgenabled = 'A' as "isAlways",
      exists (select from captured_tables where relation = c.relname) as "isCaptured"
    from pg_class c left join pg_trigger t on t.tgrelid = c.oid
      and (t.tgname = c.relname || '_changes' or t.tgname ^@ (c.relname || '_rows_') or t.tgname ^@ (c.relname || '_captured_'))
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and quote_ident(c.relname) = c.relname and length(c.relname) <= ${MAX_TABLE_NAME} order by c.relname, t.tgname
  `.execute(tx)
  return rows
}

async function replaceTrigger(tx: AnyDatabase, { table, name, text }: Declared): Promise<void> {
  if (!text) return void (await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(tx))
  // Readers of the table do not wait.
  const replaced = text.replace(/^CREATE/, 'create or replace')
  await sql.raw(`${replaced}; alter table ${table} enable always trigger ${name}`).execute(tx)
}
