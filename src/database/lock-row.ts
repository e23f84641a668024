import type { Handle } from './handle.ts'

/** Locks a row until the transaction ends. Of two transactions that lock the row, the second sees the changes of the first. */
export async function lockRow(
  { kysely }: Pick<Handle, 'kysely'>,
  table: 'applications' | 'campus' | 'users',
  id: number,
): Promise<void> {
  await kysely.selectFrom(table).select('id').where('id', '=', id).forNoKeyUpdate().execute()
}
