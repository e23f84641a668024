import { sql } from 'kysely'
import type { Handle } from './handle.ts'
import type { Tables } from './tables.ts'

/** Locks a row until the transaction ends. A second transaction waits, and then sees the changes of the first. */
export async function lockRow({ kysely }: Pick<Handle, 'kysely'>, table: keyof Tables, id: number): Promise<void> {
  await sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(kysely)
}
