import type pg from 'pg'
import { toError } from '../base/caught.ts'
import type { Pool } from './pool.ts'

export type Closable = {
  /** Ends it. With an error at once, and with it the statement that is running. */
  close(error?: Error): void
}

/** Opens a view of the database as it is now on a connection of the pool, where `verify` lets it. Throws DatabaseAway or DatabaseBusy. */
export async function openSnapshot<H extends object>(
  pool: Pool,
  handleOf: (client: pg.PoolClient) => H,
  verify: (client: pg.PoolClient) => Promise<unknown> = async () => {},
): Promise<H & Closable> {
  const client = await pool.lend('reading')
  let isClosed = false
  const close = (error?: Error) => {
    if (isClosed) return
    isClosed = true
    if (error) return client.release(error)
    client.query('rollback').then(
      () => client.release(),
      (failure: Error) => client.release(failure),
    )
  }
  try {
    // The server then ends statements of closed clients; not every system can detect that.
    await client.query("set client_connection_check_interval = '1s'").catch(() => {})
    await verify(client)
    await client.query('begin isolation level repeatable read read only')
    return { ...handleOf(client), close }
  } catch (error) {
    close(toError(error))
    throw error
  }
}
