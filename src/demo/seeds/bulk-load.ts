import { recountAll, takeRoom } from '../../database/bulk-work.ts'
import type { Handle } from '../../database/database.ts'

/**
 * Lets a transaction write without what costs far more row by row than all at once; gives what makes up for it. The records
 * that deferred triggers would write are the caller's to write.
 */
export async function startBulkLoad(tx: Handle): Promise<() => Promise<void>> {
  const deferred = await tx.rows(
    `select format('%I', c.relname), format('%I', tgname) from pg_trigger t join pg_class c on c.oid = tgrelid
     where c.relnamespace = 'public'::regnamespace and tginitdeferred and not tgisinternal and tgenabled = 'O'`,
  )
  await tx.rows("set local campus.counts_later = 'on'")
  await takeRoom(tx.rows)
  for (const [table, trigger] of deferred) await tx.rows(`alter table ${table} disable trigger ${trigger}`)
  return async () => {
    for (const [table, trigger] of deferred) await tx.rows(`alter table ${table} enable trigger ${trigger}`)
    await tx.rows("set local campus.counts_later = 'off'")
    await recountAll(tx.rows)
  }
}

/**
 * Loads many rows into a table without its foreign keys and those of its indexes that are no constraints, and makes them
 * again: to check and sort all rows at once takes a fraction of the time.
 */
export async function withoutIndexes(tx: Handle, table: string, load: () => Promise<void>): Promise<void> {
  const [indexes, keys] = [await tx.rows(INDEXES, [table]), await tx.rows(FOREIGN_KEYS, [table])]
  for (const [name] of keys) await tx.rows(`alter table ${table} drop constraint ${name}`)
  for (const [name] of indexes) await tx.rows(`drop index ${name}`)
  await load()
  for (const [, definition] of indexes) await tx.rows(String(definition))
  for (const [name, definition] of keys) await tx.rows(`alter table ${table} add constraint ${name} ${definition}`)
}

const INDEXES = `select i.indexrelid::regclass, pg_get_indexdef(i.indexrelid) from pg_index i
  where i.indrelid = $1::regclass and not exists (select from pg_constraint where conindid = i.indexrelid) order by i.indexrelid`
const FOREIGN_KEYS = `select format('%I', conname), pg_get_constraintdef(oid) from pg_constraint
  where conrelid = $1::regclass and contype = 'f' order by oid`
