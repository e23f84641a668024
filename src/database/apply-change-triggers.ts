import { sql } from 'kysely'
import { changeTriggerName, changeTriggerOf } from './functions/change-triggers.ts'
import type { AnyDatabase } from './tables.ts'

type Found = { readonly table: string; readonly text: string | null; readonly isAlways: boolean }

/**
 * Has the changes of every table recorded that anything is cached of, by whomever they are made: also while a replication
 * or a restore keeps other triggers from running. Writes only what differs; gives the names of the triggers.
 */
export async function applyChangeTriggers(tx: AnyDatabase): Promise<string[]> {
  const outdated = await findTablesNotRecorded(tx)
  for (const table of outdated) await replaceTrigger(tx, table)
  return outdated.map(changeTriggerName)
}

/** The tables whose trigger is missing, or not as it is to be. */
export async function findTablesNotRecorded(db: AnyDatabase): Promise<string[]> {
  const tables = await findTables(db)
  return tables
    .filter(({ table, text, isAlways }) => (changeTriggerOf(table) ?? null) !== text || (text !== null && !isAlways))
    .map(({ table }) => table)
}

async function findTables(tx: AnyDatabase): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select c.relname as table, pg_get_triggerdef(t.oid) as text, coalesce(t.tgenabled = 'A', false) as "isAlways"
    from pg_class c left join pg_trigger t on t.tgrelid = c.oid and t.tgname = c.relname || '_changes'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by c.relname
  `.execute(tx)
  return rows
}

async function replaceTrigger(tx: AnyDatabase, table: string): Promise<void> {
  const [name, text] = [changeTriggerName(table), changeTriggerOf(table)]
  await sql.raw(`drop trigger if exists ${name} on ${table}`).execute(tx)
  if (!text) return
  await sql.raw(`${text}; alter table ${table} enable always trigger ${name}`).execute(tx)
}
