import type { Database } from '@campus/engine/database/database'
import { callsMade } from './calls-made.ts'

/** Deletes all deliveries, under a lock of the table: the sender, which runs beside, locks their rows in an order of its own. */
export async function forgetDeliveries(database: Pick<Database, 'rows' | 'transaction'>): Promise<void> {
  await callsMade(database)
  await database.transaction(async (tx) => {
    await tx.rows('lock deliveries')
    await tx.rows('delete from deliveries')
  })
}
