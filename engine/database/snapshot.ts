import type pg from 'pg'
import { toError } from '../base/caught.ts'
import { openKysely } from './driver.ts'
import type { Handle } from './handle.ts'
import type { Pool } from './pool.ts'
import { namedFirst, runRows } from './run-rows.ts'
import type { Sending } from './session-settings.ts'

export type Snapshot = Handle & {
  /** Ends the snapshot. With an error, also ends the running statement immediately. */
  close(error?: Error): void
}

/** Opens a snapshot on a connection of the pool. Rejects with errors of `verify`, DatabaseAway and DatabaseBusy. */
export async function openSnapshot(
  pool: Pool,
  { names, settings }: Sending,
  verify: (client: pg.PoolClient) => Promise<unknown> = async () => {},
): Promise<Snapshot> {
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
    await verify(client)
    await client.query(
      ['begin isolation level repeatable read read only', ...settings.map(({ text }) => text)].join(';'),
    )
    // PostgreSQL then ends the statement of a client that has disconnected. Some operating systems do not support the setting.
    await client
      .query("savepoint before; set local client_connection_check_interval = '1s'")
      .catch(() => client.query('rollback to before'))
    return {
      kysely: openKysely(async () => ({ query: (text, values) => client.query(text, values), release() {} })),
      isOfOneState: true,
      rows: (text, values = [], { first } = {}) =>
        runRows(client, names, text, values, { before: namedFirst(names, first) }),
      close,
    }
  } catch (error) {
    close(toError(error))
    throw error
  }
}
