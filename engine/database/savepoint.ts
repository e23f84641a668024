import type { Handle } from './handle.ts'

/** Runs part of a transaction. After an error, rolls back only this part and rethrows. */
export async function inSavepoint<T>(tx: Handle, work: () => Promise<T>): Promise<T> {
  await tx.rows('savepoint part')
  try {
    return await work()
  } catch (error) {
    await tx.rows('rollback to savepoint part')
    throw error
  } finally {
    // An open savepoint costs the server memory, and readers of its rows a lookup.
    await tx.rows('release savepoint part')
  }
}
