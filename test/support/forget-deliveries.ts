import type { Database } from '../../src/database/database.ts'

/** Deletes all deliveries, under a lock of the table: the sender, which runs beside, locks their rows in an order of its own. */
export const forgetDeliveries = (database: Pick<Database, 'transaction'>): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.rows('lock deliveries')
    await tx.rows('delete from deliveries')
  })
