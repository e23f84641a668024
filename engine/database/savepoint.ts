import type { Handle } from './handle.ts'

/** Runs part of a transaction: where it fails, its statements alone are undone, and the error is thrown on. */
export async function inSavepoint<T>(tx: Handle, work: () => Promise<T>): Promise<T> {
  await tx.rows('savepoint part')
  try {
    return await work()
  } catch (error) {
    await tx.rows('rollback to savepoint part')
    throw error
  } finally {
    // Each one that stays costs the server memory, and readers of the rows a look at one more subtransaction.
    await tx.rows('release savepoint part')
  }
}
