import { recountAll, takeRoom } from '@campus/engine/database/bulk-work'
import type { Handle } from '@campus/engine/database/database'
import { sql } from 'kysely'

/**
 * Disables counts and deferred triggers in a transaction. The returned function enables them and counts all rows at once. The caller
 * writes the records that the deferred triggers would have written.
 */
export async function startBulkLoad(tx: Handle): Promise<() => Promise<void>> {
  const { rows: deferred } = await sql<{ table: string; name: string }>`
    select c.relname as table, tgname as name from pg_trigger t join pg_class c on c.oid = tgrelid
     where c.relnamespace = 'public'::regnamespace and tginitdeferred and not tgisinternal and tgenabled = 'O'`.execute(
    tx.kysely,
  )
  await sql`set local campus.counts_later = 'on'`.execute(tx.kysely)
  await takeRoom(tx.rows)
  const switchTriggers = async (action: 'enable' | 'disable') => {
    for (const { table, name } of deferred) {
      await sql`alter table ${sql.id(table)} ${sql.raw(action)} trigger ${sql.id(name)}`.execute(tx.kysely)
    }
  }
  await switchTriggers('disable')
  return async () => {
    await switchTriggers('enable')
    await sql`set local campus.counts_later = 'off'`.execute(tx.kysely)
    await recountAll(tx.rows)
  }
}

/**
 * Drops the foreign keys of a table and its indexes without a constraint, loads rows, and creates keys and indexes again,
 * which is faster than to check and index row by row.
 */
export async function withoutIndexes(tx: Handle, table: string, load: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await indexesOf(table).execute(tx.kysely)
  const { rows: keys } = await foreignKeysOf(table).execute(tx.kysely)
  for (const { name } of keys)
    await sql`alter table ${sql.id(table)} drop constraint ${sql.id(name)}`.execute(tx.kysely)
  for (const { name } of indexes) await sql`drop index ${sql.id(name)}`.execute(tx.kysely)
  await load()
  for (const { definition } of indexes) await sql.raw(definition).execute(tx.kysely)
  for (const { name, definition } of keys)
    await sql`alter table ${sql.id(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`.execute(tx.kysely)
}

type Defined = { readonly name: string; readonly definition: string }

const indexesOf = (table: string) => sql<Defined>`
  select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
  from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = ${table}::regclass
    and not exists (select from pg_constraint where conindid = i.indexrelid) order by i.indexrelid`

const foreignKeysOf = (table: string) => sql<Defined>`
  select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
  where conrelid = ${table}::regclass and contype = 'f' order by oid`
